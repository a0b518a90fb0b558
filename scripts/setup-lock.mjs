// One set-up of a checkout at a time: two commands started at once must not install into the same folder.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Runs the task while this process alone holds the lock file, which names its process. The lock of a process that is gone is void. */
export async function withLock(lock, task) {
  const own = `${lock}.${process.pid}`;
  // Linked, not written in place: whoever finds the lock finds the pid in it.
  writeFileSync(own, `${process.pid}`);
  try {
    for (let announced = false; !take(own, lock); ) {
      const holder = runningHolder(lock);
      if (holder !== null && !announced) {
        console.error(
          `Waiting for the set-up of this checkout by process ${holder} (if that is none, delete ${lock}) …`,
        );
        announced = true;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } finally {
    rmSync(own, { force: true });
  }
  try {
    return await task();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(own, lock) {
  if (link(own, lock)) return true;
  const holder = holderOf(lock);
  if (holder === null || isRunning(holder)) return false;
  // Moved aside before it is deleted: between the look and the deletion another waiter may have put its own lock in this place.
  const aside = `${own}.void`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
  if (!Object.is(holderOf(aside), holder)) link(aside, lock);
  rmSync(aside, { force: true });
  return false;
}

function link(from, lock) {
  try {
    linkSync(from, lock);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function runningHolder(lock) {
  const holder = holderOf(lock);
  return holder !== null && isRunning(holder) ? holder : null;
}

/** The pid in the lock, NaN if there is none in it; null when nobody holds it. */
function holderOf(lock) {
  try {
    return Number.parseInt(readFileSync(lock, "utf8"), 10);
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

function isRunning(pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, as another user.
    if (error.code === "EPERM") return true;
    if (error.code === "ESRCH") return false;
    throw error;
  }
}
