# gnuplot limit.gp draws limit.png
if (!exists('picture')) picture = 'limit.png'
set terminal pngcairo size 1000, 1170 noenhanced font 'sans,11'
set output picture
set title 'Percent of the measured limit of the memory' . "\n" . 'SwiftShader Device (Subzero)'
set xlabel 'percent of the measured limit'
set xrange [0:105<*]
set yrange [-39.7:0.7]
set style fill solid
set grid xtics
set key above horizontal samplen 2
set offsets 0, graph 0.08, 0, 0
set tics nomirror scale 0
set arrow from first 100, graph 0 to first 100, graph 1 nohead front dashtype 2 linewidth 2
plot 'limit.dat' index 0 using ($3/2):(-$1):($3/2):(0.36):yticlabels(2) with boxxyerror linecolor rgb '#0072b2' title 'of the device''s limit', '' index 0 using 3:(-$1):(sprintf(' %.3g', $3)) with labels left notitle
unset output
