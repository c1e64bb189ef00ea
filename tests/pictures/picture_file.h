/* picture_file.h: PNG files as pixels, and how far two of them are apart. */
#ifndef TESTS_PICTURE_FILE_H
#define TESTS_PICTURE_FILE_H

typedef struct PictureFile {
    int width, height;
    unsigned char *pixels; /* [height][width][3], sRGB; null when the file cannot be read */
} PictureFile;

PictureFile pictureRead(const char *path);
void pictureFree(PictureFile *picture);

/*
 * Peak signal-to-noise ratio in decibels: 10 log10(255^2 / mean squared difference), over all channels. 100 for equal
 * pictures, 0 for pictures of different sizes.
 */
double pictureLikeness(const PictureFile *a, const PictureFile *b);

#endif
