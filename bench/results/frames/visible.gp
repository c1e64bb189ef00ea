# gnuplot visible.gp draws visible.png
if (!exists('picture')) picture = 'visible.png'
set terminal pngcairo size 1000, 620 noenhanced font 'sans,11'
set output picture
set title 'A frame of 10,000 characters by visible percent' . "\n" . 'llvmpipe (LLVM 15.0.6, 256 bits)'
set logscale xy
set xlabel 'visible percent'
set ylabel 'milliseconds of culling, posing and skinning'
set key above horizontal samplen 2
set grid
plot 'visible.dat' index 0 using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 1.4 linecolor rgb '#0072b2' title 'kernels', 'visible.dat' index 1 using 1:2 with linespoints linewidth 2 pointtype 5 pointsize 1.4 linecolor rgb '#d55e00' title 'CPU backend'
unset output
