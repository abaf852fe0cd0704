/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who fights whom. Where it is recorded which store a HITM met, and whether it needed what was
 * stored, that is it. Else by inference: a HITM load says that another CPU had written the line,
 * not what it wrote. Each is split over the data that CPUs other than the loading one store to, in
 * proportion to their stores. On data that no other CPU stores to it is false sharing.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/math.h"
#include "c2c/private.h"

/* The thresholds, in percent of the line's HITM, and the fewest samples to judge by. */
enum { FALSE_FROM = 80, TRUE_TO = 20, FEWEST_HITM = 20 };

/* By design: of @total HITM samples, @alone on data that no other CPU stores to. */
static enum c2c_verdict verdict_of(uint64_t total, uint64_t alone, bool has_cpus)
{
	if (!has_cpus || total < FEWEST_HITM)
		return VERDICT_UNKNOWN;
	if (alone * 100 >= total * FALSE_FROM)
		return VERDICT_FALSE;
	return alone * 100 <= total * TRUE_TO ? VERDICT_TRUE : VERDICT_MIXED;
}

const char *c2c_verdict_name(enum c2c_verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_UNKNOWN] = "unknown",
		[VERDICT_FALSE] = "false-sharing",
		[VERDICT_TRUE] = "true-sharing",
		[VERDICT_MIXED] = "mixed",
	};

	return names[verdict];
}

/* ---- who does what, by datum and CPU --------------------------------------------------------- */

/* Where a recording does not tell CPUs, all is by one that is none. */
struct matrix {
	int32_t *cpus;
	size_t ncpus, cap_cpus;
	size_t ndata;
	double *hitm, *stores; /* [datum * ncpus + cpu] */
	double *stored;        /* by datum, all CPUs */
	double *stored_by;     /* by CPU, all data */
};

static size_t cpu_index(const struct matrix *matrix, int32_t cpu)
{
	size_t i = 0;

	while (i < matrix->ncpus && matrix->cpus[i] != cpu)
		i++;
	return i;
}

static void collect_cpus(const struct making *making, const struct c2c_line *line,
			 struct matrix *matrix)
{
	for (size_t i = 0; i < line->nrows; i++) {
		const struct table_row *row = &making->table->rows[making->named[i]->row];

		for (size_t k = 0; k < row->ncpus; k++) {
			if (cpu_index(matrix, row->cpus[k].cpu) < matrix->ncpus)
				continue;
			ARRAY_GROW(matrix->cpus, matrix->ncpus, matrix->cap_cpus);
			matrix->cpus[matrix->ncpus++] = row->cpus[k].cpu;
		}
	}
}

/* A row's CPUs have what they had of all its time in proportion to what the part has of it. */
static void fill_row(const struct making *making, const struct c2c_row *row,
		     const struct table_row *from, struct matrix *matrix)
{
	double hitm_part =
		from->counts.hitm ? (double)row->counts.hitm / (double)from->counts.hitm : 0;
	double store_part =
		from->counts.stores ? (double)row->counts.stores / (double)from->counts.stores : 0;

	(void)making;
	for (size_t k = 0; k < from->ncpus; k++) {
		size_t cpu = cpu_index(matrix, from->cpus[k].cpu);
		size_t at = row->datum * matrix->ncpus + cpu;
		double stores = (double)from->cpus[k].stores * store_part;

		matrix->hitm[at] += (double)from->cpus[k].hitm * hitm_part;
		matrix->stores[at] += stores;
		matrix->stored[row->datum] += stores;
		matrix->stored_by[cpu] += stores;
	}
}

static void matrix_init(const struct making *making, const struct c2c_line *line,
			struct matrix *ret)
{
	*ret = (struct matrix){.ndata = line->ndata};
	collect_cpus(making, line, ret);
	ret->hitm = xcalloc(ret->ndata * ret->ncpus, sizeof *ret->hitm);
	ret->stores = xcalloc(ret->ndata * ret->ncpus, sizeof *ret->stores);
	ret->stored = xcalloc(ret->ndata, sizeof *ret->stored);
	ret->stored_by = xcalloc(ret->ncpus, sizeof *ret->stored_by);
	for (size_t i = 0; i < line->nrows; i++)
		fill_row(making, &line->rows[i], &making->table->rows[making->named[i]->row], ret);
}

static void matrix_release(struct matrix *matrix)
{
	free(matrix->cpus);
	free(matrix->hitm);
	free(matrix->stores);
	free(matrix->stored);
	free(matrix->stored_by);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* HITM of each (written, read), and what of it is on data that no other CPU stores to. */
struct shares {
	double *pairs;           /* [written * ndata + read] */
	double alone, alone_met; /* the second: some other datum of the line is stored to */
	double unsure;           /* may be alone, may be not */
	/* Recorded, or NULL: how many of each pair, of them those that needed what was stored, and
	 * what they are of. */
	uint64_t *recorded, *needed;
	const struct access_pair *foughts;
	size_t nfoughts;
};

static void split(const struct matrix *matrix, size_t read, size_t cpu, struct c2c_datum *datum,
		  struct shares *shares)
{
	double hitm = matrix->hitm[read * matrix->ncpus + cpu], others = 0;

	if (hitm <= 0)
		return;
	for (size_t w = 0; w < matrix->ndata; w++)
		others += matrix->stored[w] - matrix->stores[w * matrix->ncpus + cpu];
	if (matrix->stored[read] - matrix->stores[read * matrix->ncpus + cpu] <= 0) {
		shares->alone += hitm;
		datum->hitm_alone += (uint64_t)(hitm + 0.5);
		if (others > 0)
			shares->alone_met += hitm;
	}
	for (size_t w = 0; others > 0 && w < matrix->ndata; w++) {
		double by_others = matrix->stored[w] - matrix->stores[w * matrix->ncpus + cpu];

		shares->pairs[w * matrix->ndata + read] += hitm * by_others / others;
	}
}

/* Nobody knows whose stores they are: all count as another's. */
static void split_blindly(const struct c2c_line *line, struct shares *shares)
{
	double stores = (double)line->counts.stores;

	for (size_t r = 0; r < line->ndata; r++)
		for (size_t w = 0; stores > 0 && w < line->ndata; w++)
			shares->pairs[w * line->ndata + r] = (double)line->data[r].counts.hitm *
							     (double)line->data[w].counts.stores /
							     stores;
}

/*
 * Of the rows of a report the number of CPUs is known. Who loads, and who stores, can only be the
 * same CPU where both are one: that HITM is unsure, with what is in no row. False: not even the
 * numbers are known, or rows with many of the stores are missing.
 */
static bool split_by_numbers(const struct making *making, struct c2c_line *line,
			     struct shares *shares)
{
	uint64_t *writers = xcalloc(line->ndata + 1, sizeof *writers);
	uint64_t stores = 0, hitm = 0;
	bool known = true;

	for (size_t i = 0; i < line->nrows; i++) {
		const struct c2c_row *row = &line->rows[i];
		uint64_t cpus = making->table->rows[making->named[i]->row].cpus_said;

		known &= cpus || (!row->counts.stores && !row->counts.hitm);
		stores += row->counts.stores;
		hitm += row->counts.hitm;
		if (row->counts.stores)
			writers[row->datum] = max_u64(writers[row->datum], cpus);
	}
	known &= (line->counts.stores - min_u64(line->counts.stores, stores)) * 100 <=
		 line->counts.stores * TRUE_TO;
	for (size_t i = 0; known && i < line->nrows; i++) {
		const struct c2c_row *row = &line->rows[i];
		struct c2c_datum *datum = &line->data[row->datum];

		if (!datum->counts.stores) {
			datum->hitm_alone += row->counts.hitm;
			shares->alone += (double)row->counts.hitm;
			shares->alone_met += line->counts.stores ? (double)row->counts.hitm : 0;
		} else if (writers[row->datum] < 2 &&
			   making->table->rows[making->named[i]->row].cpus_said < 2) {
			shares->unsure += (double)row->counts.hitm;
		}
	}
	shares->unsure += (double)(line->counts.hitm - min_u64(line->counts.hitm, hitm));
	free(writers);
	return known;
}

/* Of the datum that holds a byte of the line; false: no row is of it. */
static bool datum_at(const struct c2c_line *line, uint64_t address, size_t *ret)
{
	int64_t at = (int64_t)(address - line->address);

	for (size_t i = 0; i < line->ndata; i++)
		if (at >= line->data[i].begins &&
		    (uint64_t)(at - line->data[i].begins) < line->data[i].size) {
			*ret = i;
			return true;
		}
	return false;
}

/* Fills shares->recorded and needed; the sum of those of which both data are known, of @ret_all. */
static uint64_t sum_recorded(const struct c2c_line *line, struct shares *shares, uint64_t *ret_all)
{
	uint64_t known = 0, all = 0;

	for (size_t i = 0; i < shares->nfoughts; i++) {
		const struct access_pair *fought = &shares->foughts[i];
		size_t written, read;

		all = add_capped(all, fought->count);
		if (!datum_at(line, fought->writer_address, &written) ||
		    !datum_at(line, fought->reader_address, &read))
			continue;
		known = add_capped(known, fought->count);
		written = written * line->ndata + read;
		shares->recorded[written] = add_capped(shares->recorded[written], fought->count);
		shares->needed[written] = add_capped(shares->needed[written], fought->needed);
	}
	*ret_all = all;
	return known;
}

/* As shares of the line's HITM samples, @known in all. */
static void share_recorded(struct c2c_line *line, struct shares *shares, uint64_t known)
{
	double sample = (double)line->counts.hitm / (double)known;

	shares->alone = shares->unsure = 0;
	for (size_t read = 0; read < line->ndata; read++) {
		struct c2c_datum *datum = &line->data[read];
		double met = 0, alone = 0;

		for (size_t written = 0; written < line->ndata; written++) {
			size_t i = written * line->ndata + read;
			double in_vain = (double)(shares->recorded[i] - shares->needed[i]);

			shares->pairs[i] = (double)shares->recorded[i] * sample;
			met += (double)shares->recorded[i];
			alone += written == read ? 0 : in_vain;
		}
		shares->alone += alone * sample;
		datum->hitm_alone =
			met > 0 ? (uint64_t)((double)datum->counts.hitm * alone / met + 0.5) : 0;
	}
	shares->alone_met = shares->alone;
}

static void forget_recorded(struct shares *shares)
{
	free(shares->recorded);
	free(shares->needed);
	shares->recorded = shares->needed = NULL;
}

/*
 * Replaces what was inferred by what is recorded. Not of a part of a line's time, since pairs have
 * none; nor where addresses are of several processes; nor where much of it is of stores that no
 * sample shows.
 */
static void split_recorded(const struct making *making, struct c2c_line *line,
			   struct shares *shares)
{
	const struct c2c_table *table = making->table;
	uint64_t known, all;

	if (line->is_part || (line->pid >= 0 && !table->one_process))
		return;
	shares->foughts =
		foughts_on(&table->foughts, line->address, table->line_size, &shares->nfoughts);
	if (!shares->nfoughts)
		return;
	shares->recorded = xcalloc(line->ndata * line->ndata + 1, sizeof *shares->recorded);
	shares->needed = xcalloc(line->ndata * line->ndata + 1, sizeof *shares->needed);
	known = sum_recorded(line, shares, &all);
	if (known && (double)known * 100 >= (double)all * FALSE_FROM)
		share_recorded(line, shares, known);
	else
		forget_recorded(shares);
}

struct voice {
	const char *function;
	uint64_t n;
};

static int compare_voices(const void *left, const void *right)
{
	const struct voice *a = left, *b = right;
	int order = compare_u64(b->n, a->n);

	return order ? order : strcmp(a->function, b->function);
}

/* How much a row's loads met stores of other CPUs to @written; without a matrix, all of them. */
static uint64_t met(const struct making *making, const struct matrix *matrix, size_t row,
		    const struct c2c_row *shown, size_t written)
{
	const struct table_row *from = &making->table->rows[making->named[row]->row];
	double sum = 0;

	if (!matrix)
		return shown->counts.hitm;
	for (size_t i = 0; i < from->ncpus && matrix->stored[written] > 0; i++) {
		size_t cpu = cpu_index(matrix, from->cpus[i].cpu);
		double others =
			matrix->stored[written] - matrix->stores[written * matrix->ncpus + cpu];

		sum += from->cpus[i].hitm * others / matrix->stored[written];
	}
	return (uint64_t)(sum + 0.5);
}

/* Each function has one. */
static void add_voice(struct voice *voices, size_t *n, const char *function, uint64_t weight)
{
	size_t k = 0;

	while (k < *n && strcmp(voices[k].function, function) != 0)
		k++;
	if (k == *n)
		voices[(*n)++].function = function;
	voices[k].n = add_capped(voices[k].n, weight);
}

/* Their names, the loudest first. */
static const char *const *name_voices(const struct making *making, struct voice *voices, size_t n)
{
	const char **names = arena_array(making->arena, n, sizeof *names);

	if (n)
		qsort(voices, n, sizeof *voices, compare_voices);
	for (size_t i = 0; i < n; i++)
		names[i] = voices[i].function;
	return names;
}

/* The functions that store to the one datum, or that load the other and meet those stores; each
 * once. */
static const char *const *functions_of(const struct making *making, const struct matrix *matrix,
				       const struct c2c_line *line, const struct c2c_pair *pair,
				       bool writing, size_t *ret_n)
{
	size_t datum = writing ? pair->written : pair->read;
	struct voice *voices = xcalloc(line->nrows, sizeof *voices);
	const char *const *names;
	size_t n = 0;

	for (size_t i = 0; i < line->nrows; i++) {
		const struct c2c_row *row = &line->rows[i];
		uint64_t weight =
			writing ? row->counts.stores : met(making, matrix, i, row, pair->written);

		if (row->datum == datum && row->function && weight)
			add_voice(voices, &n, row->function, weight);
	}
	names = name_voices(making, voices, n);
	free(voices);
	*ret_n = n;
	return names;
}

/* The function of the row whose code that is; NULL: not known. */
static const char *function_at(const struct c2c_line *line, uint64_t ip)
{
	for (size_t i = 0; i < line->nrows; i++)
		if (line->rows[i].ip == ip)
			return line->rows[i].function;
	return NULL;
}

/* The same of recorded pairs. */
static const char *const *functions_recorded(const struct making *making,
					     const struct shares *shares,
					     const struct c2c_line *line,
					     const struct c2c_pair *pair, bool writing,
					     size_t *ret_n)
{
	struct voice *voices = xcalloc(shares->nfoughts, sizeof *voices);
	const char *const *names;
	size_t n = 0;

	for (size_t i = 0; i < shares->nfoughts; i++) {
		const struct access_pair *fought = &shares->foughts[i];
		const char *function =
			function_at(line, writing ? fought->writer_ip : fought->reader_ip);
		size_t written, read;

		if (function && datum_at(line, fought->writer_address, &written) &&
		    datum_at(line, fought->reader_address, &read) && written == pair->written &&
		    read == pair->read)
			add_voice(voices, &n, function, fought->count);
	}
	names = name_voices(making, voices, n);
	free(voices);
	*ret_n = n;
	return names;
}

static int compare_pairs(const void *left, const void *right)
{
	const struct c2c_pair *a = left, *b = right;
	int order = compare_u64(b->hitm, a->hitm);

	if (!order)
		order = compare_u64(a->written, b->written);
	return order ? order : compare_u64(a->read, b->read);
}

static void name_functions(const struct making *making, const struct matrix *matrix,
			   const struct shares *shares, const struct c2c_line *line,
			   struct c2c_pair *pair)
{
	if (shares->recorded) {
		pair->recorded = shares->recorded[pair->written * line->ndata + pair->read];
		pair->needed = shares->needed[pair->written * line->ndata + pair->read];
		pair->writers =
			functions_recorded(making, shares, line, pair, true, &pair->nwriters);
		pair->readers =
			functions_recorded(making, shares, line, pair, false, &pair->nreaders);
		return;
	}
	pair->writers = functions_of(making, matrix, line, pair, true, &pair->nwriters);
	pair->readers = functions_of(making, matrix, line, pair, false, &pair->nreaders);
}

static void add_pairs(const struct making *making, const struct matrix *matrix,
		      const struct shares *shares, struct c2c_line *line)
{
	size_t n = 0;

	for (size_t i = 0; i < line->ndata * line->ndata; i++)
		n += shares->pairs[i] >= 0.5;
	line->pairs = arena_array(making->arena, n, sizeof *line->pairs);
	for (size_t i = 0; i < line->ndata * line->ndata; i++) {
		struct c2c_pair *pair = &line->pairs[line->npairs];

		if (shares->pairs[i] < 0.5)
			continue;
		pair->written = i / line->ndata;
		pair->read = i % line->ndata;
		pair->hitm = (uint64_t)(shares->pairs[i] + 0.5);
		name_functions(making, matrix, shares, line, pair);
		line->npairs++;
	}
	if (line->npairs)
		qsort(line->pairs, line->npairs, sizeof *line->pairs, compare_pairs);
}

/* ---- in words -------------------------------------------------------------------------------- */

static unsigned percent(double some, uint64_t all)
{
	return all ? (unsigned)(some * 100 / (double)all + 0.5) : 0;
}

/* The datum with most of either kind of HITM. */
static const struct c2c_datum *heaviest(const struct c2c_line *line, bool alone)
{
	const struct c2c_datum *best = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < line->ndata; i++) {
		const struct c2c_datum *datum = &line->data[i];
		uint64_t hitm =
			alone ? datum->hitm_alone
			      : datum->counts.hitm - min_u64(datum->counts.hitm, datum->hitm_alone);

		if (hitm > most) {
			most = hitm;
			best = datum;
		}
	}
	return best;
}

static void add_clause(struct buf *out, const struct c2c_line *line, bool alone, double hitm)
{
	const struct c2c_datum *datum = heaviest(line, alone);

	if (!datum || hitm <= 0)
		return;
	buf_addf(out, "%s%u %% of HITM on %s, which %s", out->len ? "; " : "",
		 percent(hitm, line->counts.hitm), datum->name,
		 alone ? "no other CPU stores to" : "other CPUs store to");
}

static const char *reason_recorded(const struct making *making, const struct c2c_line *line,
				   const struct shares *shares)
{
	return arena_printf(making->arena,
			    "%u %% of HITM met a store to another member and read nothing that "
			    "others had stored, as recorded",
			    percent(shares->alone, line->counts.hitm));
}

static const char *reason_of(const struct making *making, const struct c2c_line *line,
			     const struct shares *shares, bool has_cpus)
{
	double alone = shares->alone, shared = (double)line->counts.hitm - alone;
	struct buf text = BUF_INIT;
	const char *reason;

	if (shares->recorded && line->counts.hitm >= FEWEST_HITM)
		return reason_recorded(making, line, shares);
	if (!has_cpus)
		return "the recording does not say which CPU made an access";
	if (line->counts.hitm < FEWEST_HITM)
		return arena_printf(making->arena, "fewer than %d HITM", FEWEST_HITM);
	if (line->verdict == VERDICT_UNKNOWN)
		return arena_printf(making->arena,
				    "the report does not say which CPUs made %u %% of HITM",
				    percent(shares->unsure, line->counts.hitm));
	add_clause(&text, line, alone >= shared, alone >= shared ? alone : shared);
	add_clause(&text, line, alone < shared, alone >= shared ? shared : alone);
	reason = arena_strdup(making->arena, text.s);
	buf_release(&text);
	return reason;
}

/* Unknown when it hangs on what is unsure. */
static enum c2c_verdict weigh(const struct c2c_line *line, const struct shares *shares,
			      bool has_cpus)
{
	uint64_t least = (uint64_t)(shares->alone + 0.5);
	uint64_t most = (uint64_t)(shares->alone + shares->unsure + 0.5);
	bool is_told = has_cpus || shares->recorded;
	enum c2c_verdict verdict = verdict_of(line->counts.hitm, least, is_told);

	return verdict == verdict_of(line->counts.hitm, most, is_told) ? verdict : VERDICT_UNKNOWN;
}

void find_verdict(const struct making *making, struct c2c_line *line)
{
	struct shares shares = {.pairs = xcalloc(line->ndata * line->ndata, sizeof *shares.pairs)};
	bool has_cpus = making->table->has_cpus;
	struct matrix matrix;

	if (has_cpus) {
		matrix_init(making, line, &matrix);
		for (size_t r = 0; r < line->ndata; r++)
			for (size_t c = 0; c < matrix.ncpus; c++)
				split(&matrix, r, c, &line->data[r], &shares);
		split_recorded(making, line, &shares);
		add_pairs(making, &matrix, &shares, line);
		matrix_release(&matrix);
	} else {
		has_cpus = split_by_numbers(making, line, &shares);
		split_blindly(line, &shares);
		split_recorded(making, line, &shares);
		add_pairs(making, NULL, &shares, line);
	}
	line->verdict = weigh(line, &shares, has_cpus);
	line->reason = reason_of(making, line, &shares, has_cpus);
	line->gain = (uint64_t)(shares.alone_met + 0.5);
	line->pairs_recorded = shares.recorded;
	forget_recorded(&shares);
	free(shares.pairs);
}
