/* Represents a header of the engine. */
#ifndef ENGINE_HEADER_H
#define ENGINE_HEADER_H
#endif
