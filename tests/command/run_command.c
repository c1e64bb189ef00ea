#include "run_command.h"

#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *readStream(FILE *file, size_t *size) {
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length >= 0);
    rewind(file);
    char *text = malloc((size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    text[length] = '\0';
    if (size) {
        *size = (size_t)length;
    }
    return text;
}

const char *commandBackend;

int runWithBackends(void) {
    static const char *const BACKENDS[] = {"compute", "cpu"};
    int failed = 0;
    for (int i = 0; i < 2; i++) {
        commandBackend = BACKENDS[i];
        failed += testRunGroup(BACKENDS[i], NULL, NULL, NULL);
    }
    return failed;
}

static bool skins(const char *verb) {
    return strcmp(verb, "bake") == 0 || strcmp(verb, "render") == 0 || strcmp(verb, "crowd") == 0;
}

/* In the child: never returns. */
static void becomeCommand(const char *const *arguments, FILE *output, FILE *errors) {
    char *texts[COMMAND_ARGUMENTS_MAX + 4] = {(char *)"vkskin"};
    bool chosen = !commandBackend || !arguments[0] || !skins(arguments[0]);
    int count = 1;
    for (int i = 0; i < COMMAND_ARGUMENTS_MAX && arguments[i]; i++) {
        if (i == 1 && !chosen) { /* before the operands, which may follow a "--" */
            texts[count++] = (char *)"--backend";
            texts[count++] = (char *)commandBackend;
        }
        texts[count++] = (char *)arguments[i];
    }
    int input = open("/dev/null", O_RDONLY);
    if (input < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(fileno(output), STDOUT_FILENO) < 0 ||
        dup2(fileno(errors), STDERR_FILENO) < 0) {
        _exit(126);
    }
    execv(VKSKIN_COMMAND_PATH, texts);
    _exit(127);
}

CommandRun runCommand(const char *const *arguments) {
    FILE *output = tmpfile();
    FILE *errors = tmpfile();
    int state;
    assert_non_null(output);
    assert_non_null(errors);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        becomeCommand(arguments, output, errors);
    }
    assert_int_equal(waitpid(child, &state, 0), child);
    CommandRun run = {
        .status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state),
        .output = readStream(output, NULL),
        .errors = readStream(errors, NULL),
    };
    fclose(output);
    fclose(errors);
    return run;
}

void commandRunFree(CommandRun *run) {
    free(run->output);
    free(run->errors);
    *run = (CommandRun){0};
}

void makeFolder(char *path) {
    snprintf(path, 64, "/tmp/vkskin-command-XXXXXX");
    assert_non_null(mkdtemp(path));
}

int countEntries(const char *folder) {
    DIR *directory = opendir(folder);
    int count = -2; /* "." and ".." */
    assert_non_null(directory);
    while (readdir(directory)) {
        count++;
    }
    closedir(directory);
    return count;
}

static int removeEntry(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void removeFolder(const char *folder) {
    assert_int_equal(nftw(folder, removeEntry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

char *readWhole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = readStream(file, size);
    fclose(file);
    return text;
}

void writeWhole(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}
