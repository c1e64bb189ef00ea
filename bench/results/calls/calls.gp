# gnuplot calls.gp draws calls.png
if (!exists('picture')) picture = 'calls.png'
set terminal pngcairo size 1000, 620 noenhanced font 'sans,11'
set output picture
set title 'Cost of the calls of an instance by number of instances' . "\n" . 'Intel(R) Xeon(R) Processor'
set logscale xy
set xlabel 'instances'
set ylabel 'nanoseconds per instance'
set key above horizontal samplen 2
set grid
plot 'calls.dat' index 0 using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 1.4 linecolor rgb '#0072b2' title 'single calls', 'calls.dat' index 1 using 1:2 with linespoints linewidth 2 pointtype 5 pointsize 1.4 linecolor rgb '#d55e00' title 'single calls, 2 threads', 'calls.dat' index 2 using 1:2 with linespoints linewidth 2 pointtype 9 pointsize 1.4 linecolor rgb '#009e73' title 'single calls, 4 threads', 'calls.dat' index 3 using 1:2 with linespoints linewidth 2 pointtype 13 pointsize 1.4 linecolor rgb '#cc79a7' title 'single palettes', 'calls.dat' index 4 using 1:2 with linespoints linewidth 2 pointtype 11 pointsize 1.4 linecolor rgb '#56b4e9' title 'bulk calls', 'calls.dat' index 5 using 1:2 with linespoints linewidth 2 pointtype 6 pointsize 1.4 linecolor rgb '#e69f00' title 'bulk calls, 2 threads', 'calls.dat' index 6 using 1:2 with linespoints linewidth 2 pointtype 4 pointsize 1.4 linecolor rgb '#000000' title 'bulk calls, 4 threads', 'calls.dat' index 7 using 1:2 with linespoints linewidth 2 pointtype 8 pointsize 1.4 linecolor rgb '#0072b2' title 'outputs, single calls', 'calls.dat' index 8 using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 1.4 linecolor rgb '#d55e00' title 'outputs, bulk'
unset output
