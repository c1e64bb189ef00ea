# gnuplot cost.gp draws cost.png
if (!exists('picture')) picture = 'cost.png'
set terminal pngcairo size 1000, 620 noenhanced font 'sans,11'
set output picture
set title 'Cost of a vertex by number of instances' . "\n" . 'SwiftShader Device (Subzero)'
set logscale xy
set xlabel 'instances'
set ylabel 'nanoseconds a vertex'
set key above horizontal samplen 2
set grid
plot 'cost.dat' index 0 using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 1.4 linecolor rgb '#0072b2' title 'baseline', 'cost.dat' index 1 using 1:2 with linespoints linewidth 2 pointtype 5 pointsize 1.4 linecolor rgb '#d55e00' title 'compute, packed'
unset output
