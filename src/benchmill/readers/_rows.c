/* What `plainly` in rows.py does, compiled: the same arguments and the same result.

   Every step asks whether it is at the end of the text first. hatch_build.py compiles this file where there is a compiler; where
   there is none, nothing but speed changes. */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef SOURCE
#define SOURCE ""
#endif

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0
#define EXACT_STEPS 1 /* products and quotients are rounded once, to double */
#else
#define EXACT_STEPS 0
#endif

#define MOST_STATED 1000000000000000 /* beyond the number of digits that a token can have */
#define MOST_WHOLE 1000000000000000000

#define KINDS 4
enum { CUT, MALFORMED, ORPHAN, STRAY };

static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

typedef struct {
    const char *begin, *end;
} Token;

/* Numbers of eight bytes, one behind the other, in a bytearray. */
typedef struct {
    PyObject *bytes;
    char *at;
    Py_ssize_t count, room;
} Column;

static int open_column(Column *column)
{
    column->count = column->room = 0;
    column->at = NULL;
    column->bytes = PyByteArray_FromStringAndSize(NULL, 0);
    return column->bytes ? 0 : -1;
}

static int resize(Column *column, Py_ssize_t room)
{
    if (room > PY_SSIZE_T_MAX / 8) {
        PyErr_NoMemory();
        return -1;
    }
    if (PyByteArray_Resize(column->bytes, room * 8) < 0)
        return -1;
    column->at = PyByteArray_AsString(column->bytes);
    column->room = room;
    return 0;
}

static int append(Column *column, int64_t number)
{
    if (column->count == column->room && resize(column, column->room ? column->room + column->room / 2 : 1024) < 0)
        return -1;
    ((int64_t *)column->at)[column->count++] = number;
    return 0;
}

/* Everything that a call makes. */
typedef struct {
    Column file, line, block, row_line, evaluations, decimals;
    Column *values; /* as many as the header with most columns asks for */
    Py_ssize_t width;
    PyObject *headings, *refused[KINDS];
    Py_ssize_t counts[KINDS];
    Py_ssize_t most, read;
    Py_ssize_t done, total; /* bytes of text: those of rows, and all */
    int64_t breaks;         /* of the last text */
} Found;

/* Make room for further rows in all arrays over rows: for as many as there will be if all are as long as those so far. */
static int make_room(Found *found)
{
    /* `block` last: its room is that of all */
    Column *columns[] = {&found->row_line, &found->evaluations, &found->decimals, &found->block};
    Py_ssize_t room = found->block.room ? 2 * found->block.room : 1024;
    double expected = 1.05 * (double)found->block.count * ((double)found->total / (double)(found->done + 1));
    if (expected > (double)room && expected < (double)found->total)
        room = (Py_ssize_t)expected;
    for (Py_ssize_t i = 0; i < found->width; i++)
        if (resize(&found->values[i], room) < 0)
            return -1;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (resize(columns[i], room) < 0)
            return -1;
    return 0;
}

/* Give the arrays over rows so many columns of values; rows that are there already have NaN in new ones. */
static int widen(Found *found, Py_ssize_t width)
{
    Column *values;
    if (width <= found->width)
        return 0;
    if ((size_t)width > SIZE_MAX / sizeof(Column) || !(values = PyMem_Realloc(found->values, width * sizeof(Column)))) {
        PyErr_NoMemory();
        return -1;
    }
    found->values = values;
    while (found->width < width) {
        Column *column = &values[found->width];
        if (open_column(column) < 0)
            return -1;
        found->width++;
        if (resize(column, found->block.room) < 0)
            return -1;
        for (Py_ssize_t row = 0; row < found->block.count; row++)
            ((double *)column->at)[row] = NAN;
    }
    return 0;
}

/* Note a line that is not read; of many the first ones with their text. */
static int refuse(Found *found, int kind, Py_ssize_t file, int64_t line, const char *begin, const char *end)
{
    PyObject *entry;
    int failed;
    if (found->counts[kind]++ >= found->most)
        return 0;
    while (end > begin && (unsigned char)end[-1] <= 32)
        end--;
    if (end - begin > 60)
        end = begin + 60;
    entry = Py_BuildValue("(nLy#)", file, (long long)line, begin, end - begin);
    if (!entry)
        return -1;
    failed = PyList_Append(found->refused[kind], entry);
    Py_DECREF(entry);
    return failed;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Slow and always right: Python's own conversion. The token is a number. */
static int converted(Token token, double *number)
{
    char small[128], *text = small;
    size_t length = token.end - token.begin;
    if (length >= sizeof small && !(text = PyMem_Malloc(length + 1))) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(text, token.begin, length);
    text[length] = 0;
    *number = PyOS_string_to_double(text, NULL, NULL);
    if (text != small)
        PyMem_Free(text);
    return *number == -1.0 && PyErr_Occurred() ? -1 : 1;
}

/* The number that a token is, and the digits after its point (-1 with an exponent): 1 if it is one above -inf, 0, or -1 (error). */
static int number_of(Token token, double *number, int64_t *decimals)
{
    const char *p, *end = token.end, *point = NULL;
    uint64_t digits = 0;
    int64_t exponent = 0, stated = 0, significant = 0;
    int negative = 0, some = 0, result;
    if (end - token.begin > 1 && *token.begin == '+')
        token.begin++;
    p = token.begin;
    if (p < end && *p == '-')
        negative = 1, p++;
    if (end - p == 3 && (p[0] | 32) == 'i' && (p[1] | 32) == 'n' && (p[2] | 32) == 'f') {
        *number = HUGE_VAL;
        *decimals = 0;
        return !negative;
    }
    for (; p < end; p++) {
        if (is_digit(*p)) {
            some = 1;
            if (significant || *p != '0')
                significant++;
            if (significant <= 19)
                digits = 10 * digits + (uint64_t)(*p - '0');
            if (point)
                exponent--;
        } else if (*p == '.' && !point)
            point = p;
        else
            break;
    }
    if (!some)
        return 0;
    *decimals = point ? p - point - 1 : 0;
    if (p < end) {
        int down = 0;
        if ((*p | 32) != 'e' || ++p == end)
            return 0;
        if (*p == '+' || *p == '-')
            down = *p++ == '-';
        if (p == end)
            return 0;
        for (; p < end; p++) {
            if (!is_digit(*p))
                return 0;
            if (stated < MOST_STATED)
                stated = 10 * stated + (*p - '0');
        }
        exponent += down ? -stated : stated;
        *decimals = -1;
    }
    /* Up to 2^53 and up to 10^22 are exact, and one product or quotient of such is rounded once. */
    if (EXACT_STEPS && significant <= 19 && digits <= (uint64_t)1 << 53 && exponent >= -22 && exponent <= 22) {
        *number = exponent < 0 ? (double)digits / POWERS[-exponent] : (double)digits * POWERS[exponent];
        if (negative)
            *number = -*number;
        return 1;
    }
    result = converted(token, number);
    return result > 0 ? *number > -HUGE_VAL : result;
}

/* The whole number that a token is, not negative: 1 if it is one, 0, or -1 (error). */
static int whole(Token token, int64_t *number)
{
    const char *p = token.begin;
    uint64_t digits = 0;
    double rounded;
    int64_t decimals;
    int result;
    if (token.end - p > 1 && *p == '+')
        p++;
    for (; p < token.end && is_digit(*p) && digits < MOST_WHOLE / 10; p++)
        digits = 10 * digits + (uint64_t)(*p - '0');
    if (p == token.end) {
        *number = (int64_t)digits;
        return 1;
    }
    /* Some loggers write 1.0e+03. */
    result = number_of(token, &rounded, &decimals);
    if (result > 0) {
        result = rounded >= 0 && rounded < 9007199254740992.0;
        *number = result ? (int64_t)rounded : 0;
        result = result && (double)*number == rounded;
    }
    return result;
}

/* The columns that are wanted under a header, the largest of them, and where tokens of a row are. */
typedef struct {
    Py_ssize_t *columns, count, need;
    Token *tokens;
} Wanted;

static int want(Wanted *wanted, PyObject *chosen)
{
    Py_ssize_t count, *columns;
    Token *tokens;
    if (!PyTuple_Check(chosen)) {
        PyErr_SetString(PyExc_TypeError, "the wanted columns are not a tuple");
        return -1;
    }
    count = PyTuple_Size(chosen);
    columns = PyMem_Realloc(wanted->columns, (count ? count : 1) * sizeof *columns);
    if (!columns) {
        PyErr_NoMemory();
        return -1;
    }
    wanted->columns = columns;
    wanted->count = count;
    wanted->need = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        columns[i] = PyLong_AsSsize_t(PyTuple_GetItem(chosen, i));
        if (columns[i] == -1 && PyErr_Occurred())
            return -1;
        if (columns[i] > wanted->need)
            wanted->need = columns[i];
    }
    if ((size_t)wanted->need >= SIZE_MAX / sizeof *tokens - 1 ||
        !(tokens = PyMem_Realloc(wanted->tokens, (wanted->need + 1) * sizeof *tokens))) {
        PyErr_NoMemory();
        return -1;
    }
    wanted->tokens = tokens;
    return 0;
}

/* Add a row if it can be read: 1 if it was, 0, or -1 (error). */
static int add_row(Found *found, const Wanted *wanted, int64_t line)
{
    Py_ssize_t at = found->block.count;
    int64_t evaluations, decimals = 0, unused;
    int result = whole(wanted->tokens[0], &evaluations);
    if (result <= 0)
        return result;
    if (at == found->block.room && make_room(found) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < found->width; i++) {
        double number = NAN;
        if (i < wanted->count && wanted->columns[i] >= 0) {
            result = number_of(wanted->tokens[wanted->columns[i]], &number, i ? &unused : &decimals);
            if (result <= 0)
                return result;
        }
        ((double *)found->values[i].at)[at] = number;
    }
    ((int64_t *)found->row_line.at)[at] = line;
    ((int64_t *)found->evaluations.at)[at] = evaluations;
    ((int64_t *)found->decimals.at)[at] = decimals;
    ((int64_t *)found->block.at)[at] = found->file.count - 1;
    found->block.count++;
    return 1;
}

/* What a header line says: the lines of a header that stand directly before its last one belong to it. */
static int head(Found *found, Wanted *wanted, PyObject *columns, PyObject *pending, Py_ssize_t file, int64_t line,
                const char *begin, const char *end)
{
    PyObject *text = NULL, *chosen = NULL, *between = NULL, *heading = NULL;
    int result = -1;
    while ((unsigned char)end[-1] <= 32)
        end--;
    if (!(text = PyBytes_FromStringAndSize(begin, end - begin)) || PyList_Append(pending, text) < 0 ||
        !(chosen = PyObject_CallFunction(columns, "On", text, file)))
        goto done;
    if (chosen == Py_None) {
        result = *begin != '%' && refuse(found, STRAY, file, line, begin, end) < 0 ? -1 : 0;
        goto done;
    }
    if (want(wanted, chosen) < 0 || widen(found, wanted->count) < 0 || !(between = PyBytes_FromStringAndSize("\n", 1)) ||
        !(heading = PyObject_CallMethod(between, "join", "O", pending)) || PyList_Append(found->headings, heading) < 0 ||
        PyList_SetSlice(pending, 0, PyList_Size(pending), NULL) < 0 || append(&found->file, file) < 0 ||
        append(&found->line, line) < 0)
        goto done;
    result = 1;
done:
    Py_XDECREF(text);
    Py_XDECREF(chosen);
    Py_XDECREF(between);
    Py_XDECREF(heading);
    return result;
}

static const char *next_break(const char *p, const char *end)
{
    const char *found = p < end ? memchr(p, '\n', end - p) : NULL;
    return found ? found : end;
}

static const char *behind_blanks(const char *p, const char *end)
{
    while (p < end && (unsigned char)*p <= 32 && *p != '\n')
        p++;
    return p;
}

/* Read a row that begins at `p`, and say where its line ends; NULL is an error. */
static const char *row(Found *found, Wanted *wanted, int headed, Py_ssize_t file, int64_t line, const char *p, const char *end,
                       int ended)
{
    const char *begin = p, *stop;
    Py_ssize_t have = 0;
    int result = 0, kind = MALFORMED;
    found->read++;
    if (!headed) {
        stop = next_break(p, end);
        return refuse(found, ORPHAN, file, line, begin, stop) < 0 ? NULL : stop;
    }
    do {
        wanted->tokens[have].begin = p;
        while (p < end && (unsigned char)*p > 32)
            p++;
        wanted->tokens[have++].end = p;
        p = behind_blanks(p, end);
    } while (have <= wanted->need && p < end && *p != '\n');
    stop = next_break(p, end);
    found->done += stop - begin;
    if (p == end && !ended)
        kind = CUT; /* nothing follows the last token, which may be cut */
    else if (have > wanted->need)
        result = add_row(found, wanted, line);
    return result < 0 || (!result && refuse(found, kind, file, line, begin, stop) < 0) ? NULL : stop;
}

static int scan_file(Found *found, Wanted *wanted, Py_ssize_t file, const char *p, Py_ssize_t length, const char *marked,
                     PyObject *columns, PyObject *pending, int64_t line)
{
    const char *end = p + length;
    int64_t first = line;
    int ended = length && end[-1] == '\n', headed = 0;
    for (; p < end; line++) {
        p = behind_blanks(p, end);
        if (p < end && *p != '\n') {
            if (marked[(unsigned char)*p]) {
                const char *stop = next_break(p, end);
                int result = head(found, wanted, columns, pending, file, line, p, stop);
                if (result < 0)
                    return -1;
                headed |= result;
                p = stop;
            } else {
                if (PyList_Size(pending) && PyList_SetSlice(pending, 0, PyList_Size(pending), NULL) < 0)
                    return -1;
                if (!(p = row(found, wanted, headed, file, line, p, end, ended)))
                    return -1;
            }
        }
        p++;
    }
    found->breaks = line - first - (length && !ended);
    return 0;
}

static int open_found(Found *found)
{
    Column *columns[] = {&found->file, &found->line, &found->block, &found->row_line, &found->evaluations, &found->decimals};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (open_column(columns[i]) < 0)
            return -1;
    for (int i = 0; i < KINDS; i++)
        if (!(found->refused[i] = PyList_New(0)))
            return -1;
    return (found->headings = PyList_New(0)) ? widen(found, 2) : -1;
}

static void close_found(Found *found)
{
    Column *columns[] = {&found->file, &found->line, &found->block, &found->row_line, &found->evaluations, &found->decimals};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        Py_XDECREF(columns[i]->bytes);
    for (int i = 0; i < KINDS; i++)
        Py_XDECREF(found->refused[i]);
    for (Py_ssize_t i = 0; i < found->width; i++)
        Py_XDECREF(found->values[i].bytes);
    PyMem_Free(found->values);
    Py_XDECREF(found->headings);
}

/* All that was found, as `plainly` gives it back; each array loses the room that it does not need. */
static PyObject *result_of(Found *found)
{
    Column *columns[] = {&found->file, &found->line, &found->block, &found->row_line, &found->evaluations, &found->decimals};
    Py_ssize_t rows = found->block.count;
    PyObject *values, *refused, *result = NULL;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (resize(columns[i], i < 2 ? columns[i]->count : rows) < 0)
            return NULL;
    values = PyList_New(0);
    refused = PyList_New(0);
    if (!values || !refused)
        goto done;
    for (Py_ssize_t i = 0; i < found->width; i++)
        if (resize(&found->values[i], rows) < 0 || PyList_Append(values, found->values[i].bytes) < 0)
            goto done;
    for (int i = 0; i < KINDS; i++) {
        PyObject *pair = Py_BuildValue("(nO)", found->counts[i], found->refused[i]);
        int failed = !pair || PyList_Append(refused, pair) < 0;
        Py_XDECREF(pair);
        if (failed)
            goto done;
    }
    result = Py_BuildValue("(OOOOOOOOOnL)", found->file.bytes, found->line.bytes, found->headings, found->block.bytes,
                           found->row_line.bytes, found->evaluations.bytes, found->decimals.bytes, values, refused, found->read,
                           (long long)found->breaks);
done:
    Py_XDECREF(values);
    Py_XDECREF(refused);
    return result;
}

static PyObject *scan(PyObject *module, PyObject *arguments)
{
    PyObject *texts, *columns, *pending = NULL, *result = NULL;
    const char *marks;
    Py_ssize_t mark_count, before, most;
    char marked[256] = {0};
    Found found = {0};
    Wanted wanted = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!y#Onn", &PyList_Type, &texts, &marks, &mark_count, &columns, &before, &most))
        return NULL;
    for (Py_ssize_t i = 0; i < mark_count; i++)
        marked[(unsigned char)marks[i]] = 1;
    found.most = most;
    if (open_found(&found) < 0)
        goto done;
    for (Py_ssize_t file = 0; file < PyList_Size(texts); file++) {
        PyObject *text = PyList_GetItem(texts, file);
        found.total += text && PyBytes_Check(text) ? PyBytes_Size(text) : 0;
    }
    for (Py_ssize_t file = 0; file < PyList_Size(texts); file++) {
        PyObject *text = PyList_GetItem(texts, file);
        char *begin;
        Py_ssize_t length;
        int failed;
        if (!text || PyBytes_AsStringAndSize(text, &begin, &length) < 0 || !(pending = PyList_New(0)))
            goto done;
        Py_INCREF(text); /* `columns` could take it out of the list */
        failed = scan_file(&found, &wanted, file, begin, length, marked, columns, pending, file ? 1 : 1 + before);
        Py_DECREF(text);
        Py_CLEAR(pending);
        if (failed)
            goto done;
    }
    result = result_of(&found);
done:
    Py_XDECREF(pending);
    close_found(&found);
    PyMem_Free(wanted.columns);
    PyMem_Free(wanted.tokens);
    return result;
}

static PyMethodDef methods[] = {
    {"scan", scan, METH_VARARGS, "The rows of several texts, and what of them is none."},
    {NULL, NULL, 0, NULL},
};

static int fill(PyObject *module)
{
    return PyModule_AddStringConstant(module, "SOURCE", SOURCE);
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, fill}, {0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_rows", "Rows of numbers in blocks, read by compiled code.", 0,
                                        methods, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__rows(void)
{
    return PyModuleDef_Init(&definition);
}
