# gnuplot steps.gp draws steps.png
if (!exists('picture')) picture = 'steps.png'
set terminal pngcairo size 1000, 338 noenhanced font 'sans,11'
set output picture
set title 'How much faster than the baseline, step by step' . "\n" . 'SwiftShader Device (Subzero)'
set xlabel 'times faster than the baseline'
set xrange [0:1.05<*]
set yrange [-7.7:0.7]
set style fill solid
set grid xtics
set key above horizontal samplen 2
set offsets 0, graph 0.08, 0, 0
set tics nomirror scale 0
set arrow from first 1, graph 0 to first 1, graph 1 nohead front dashtype 2 linewidth 2
plot 'steps.dat' index 0 using ($3/2):(-$1):($3/2):(0.36):yticlabels(2) with boxxyerror linecolor rgb '#0072b2' notitle, '' index 0 using 3:(-$1):(sprintf(' %.3g', $3)) with labels left notitle
unset output
