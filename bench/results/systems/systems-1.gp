# gnuplot systems-1.gp draws systems-1.png
if (!exists('picture')) picture = 'systems-1.png'
set terminal pngcairo size 1000, 620 noenhanced font 'sans,11'
set output picture
set title 'What compute gains: skinning and one pass' . "\n" . 'llvmpipe (LLVM 15.0.6, 256 bits)'
set logscale xy
set xlabel 'instances'
set ylabel 'milliseconds of skinning and drawing'
set key above horizontal samplen 2
set grid
plot 'systems-1.dat' index 0 using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 1.4 linecolor rgb '#0072b2' title 'compute', 'systems-1.dat' index 1 using 1:2 with linespoints linewidth 2 pointtype 5 pointsize 1.4 linecolor rgb '#d55e00' title 'vertex-buffer', 'systems-1.dat' index 2 using 1:2 with linespoints linewidth 2 pointtype 9 pointsize 1.4 linecolor rgb '#009e73' title 'texture-qt', 'systems-1.dat' index 3 using 1:2 with linespoints linewidth 2 pointtype 13 pointsize 1.4 linecolor rgb '#cc79a7' title 'texture-matrix', 'systems-1.dat' index 4 using 1:2 with linespoints linewidth 2 pointtype 11 pointsize 1.4 linecolor rgb '#56b4e9' title 'uniform-matrix', 'systems-1.dat' index 5 using 1:2 with linespoints linewidth 2 pointtype 6 pointsize 1.4 linecolor rgb '#e69f00' title 'uniform-2d'
unset output
