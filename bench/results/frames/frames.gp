# gnuplot frames.gp draws frames.png
if (!exists('picture')) picture = 'frames.png'
set terminal pngcairo size 1000, 620 noenhanced font 'sans,11'
set output picture
set title 'A frame of a crowd by number of characters, 14 % visible' . "\n" . 'llvmpipe (LLVM 15.0.6, 256 bits)'
set logscale xy
set xlabel 'characters'
set ylabel 'milliseconds of culling, posing and skinning'
set key above horizontal samplen 2
set grid
plot 'frames.dat' index 0 using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 1.4 linecolor rgb '#0072b2' title 'kernels, all instances', 'frames.dat' index 1 using 1:2 with linespoints linewidth 2 pointtype 5 pointsize 1.4 linecolor rgb '#d55e00' title 'kernels, culled instances', 'frames.dat' index 2 using 1:2 with linespoints linewidth 2 pointtype 9 pointsize 1.4 linecolor rgb '#009e73' title 'kernels, crowd', 'frames.dat' index 3 using 1:2 with linespoints linewidth 2 pointtype 13 pointsize 1.4 linecolor rgb '#cc79a7' title 'CPU backend, culled instances', 'frames.dat' index 4 using 1:2 with linespoints linewidth 2 pointtype 11 pointsize 1.4 linecolor rgb '#56b4e9' title 'CPU backend, crowd'
unset output
