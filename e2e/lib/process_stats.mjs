// Memory and scheduling delay of a process, from Linux's /proc. On other systems the functions return 0.
import fs from 'node:fs';

function read(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined; // the system has no /proc, or the thread has ended
  }
}

/** Resident memory of a process in MiB. */
export function residentMiB(pid) {
  const m = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`) ?? '');
  return m ? Number(m[1]) / 1024 : 0;
}

/** Milliseconds that all threads of a process together have waited for a CPU. pid may be "self". */
export function schedulerDelayMs(pid) {
  let threads = [];
  try {
    threads = fs.readdirSync(`/proc/${pid}/task`);
  } catch {
    return 0;
  }
  const delays = threads.map((id) => read(`/proc/${pid}/task/${id}/schedstat`)?.split(' ')[1]);
  return delays.reduce((sum, ns) => sum + Number(ns ?? 0) / 1e6, 0);
}
