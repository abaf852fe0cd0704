/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin/task.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plugin/plugin.h"

enum { TASKS = 1 << 14 };

static const char *ram;
static uint64_t ram_size;

static struct trace_task tasks[TASKS]; /* in the order they were seen */
static size_t ntasks;
static atomic_flag tasks_lock = ATOMIC_FLAG_INIT;

bool task_open(void)
{
	struct stat st;
	void *mapped;
	int fd;

	if (!settings.ram)
		return true;
	fd = open(settings.ram, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0) {
		perror("layoutcheck-tcg: the guest's memory");
		return false;
	}
	ram_size = (uint64_t)st.st_size;
	mapped = mmap(NULL, ram_size, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (mapped == MAP_FAILED) {
		perror("layoutcheck-tcg: the guest's memory");
		return false;
	}
	ram = mapped;
	return true;
}

static bool ram_read(uint64_t physical, void *ret, size_t size)
{
	if (physical > ram_size || ram_size - physical < size)
		return false;
	memcpy(ret, ram + physical, size);
	return true;
}

static bool kernel_task(unsigned vcpu, struct trace_task *ret)
{
	uint64_t area, task;

	return ram && settings.comm &&
	       ram_read(settings.percpu + vcpu * sizeof area, &area, sizeof area) &&
	       ram_read(area + settings.current - settings.direct, &task, sizeof task) &&
	       ram_read(task - settings.direct + settings.pid, &ret->tid, sizeof ret->tid) &&
	       ram_read(task - settings.direct + settings.tgid, &ret->pid, sizeof ret->pid) &&
	       ram_read(task - settings.direct + settings.comm, ret->comm, sizeof ret->comm);
}

static bool own_task(struct trace_task *ret)
{
	ret->pid = (uint32_t)getpid();
	ret->tid = (uint32_t)syscall(SYS_gettid);
	return prctl(PR_GET_NAME, ret->comm) == 0;
}

static void note(const struct trace_task *task)
{
	size_t i;

	while (atomic_flag_test_and_set_explicit(&tasks_lock, memory_order_acquire))
		;
	for (i = ntasks; i-- > 0;)
		if (tasks[i].tid == task->tid && tasks[i].pid == task->pid)
			break;
	if (i != SIZE_MAX)
		tasks[i] = *task;
	else if (ntasks < TASKS)
		tasks[ntasks++] = *task;
	atomic_flag_clear_explicit(&tasks_lock, memory_order_release);
}

void task_look(unsigned index)
{
	struct vcpu *vcpu = &vcpus[index];
	struct trace_task task = {0};

	if (!(is_system ? kernel_task(index, &task) : own_task(&task))) {
		vcpu->pid = vcpu->tid = 0;
		return;
	}
	task.comm[sizeof task.comm - 1] = '\0';
	if (task.tid == vcpu->tid && task.pid == vcpu->pid)
		return;
	vcpu->pid = task.pid;
	vcpu->tid = task.tid;
	note(&task);
}

const struct trace_task *tasks_seen(size_t *ret_n)
{
	*ret_n = ntasks;
	return tasks;
}
