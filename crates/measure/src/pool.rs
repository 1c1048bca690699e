//! The one pool of threads for jobs that somebody watches: games, pairs of games, repeats, problems. Jobs have numbers, and a job depends on its
//! number alone, so that nothing depends on how many threads there are. The thread that calls hears of every job that is done and, several
//! times a second, how long it has been; it writes journals, shows a status line and may break off.
//!
//! Loops over data that nobody watches, each step of which is short, are rayon's (`play::threads::on_threads`).

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Between two looks at the clock: short enough for a run that is to stop within 0.2 s.
const GLANCE: Duration = Duration::from_millis(100);
/// In the beginning looks are closer, so that a short run can be watched too.
const BEGINNING: Duration = Duration::from_millis(200);
const FIRST_GLANCE: Duration = Duration::from_millis(2);
/// Jobs that are done and not yet heard of, at most: a slow disk holds up the jobs, and memory does not fill.
const MOST_UNHEARD: usize = 64;

/// Whether jobs are to stop.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asked by a job several times a second.
    pub fn go_on(&self) -> bool {
        !self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, which says true when it is time to stop.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// From now on jobs stop.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Why a job has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Halt<E> {
    /// It was told to stop, or need not be done any more.
    Stopped,
    /// It has failed; all others stop.
    Failed(E),
}

impl<E> From<E> for Halt<E> {
    fn from(error: E) -> Self {
        Halt::Failed(error)
    }
}

impl<E> Halt<E> {
    /// The same with another kind of failure.
    pub fn map<F>(self, change: impl FnOnce(E) -> F) -> Halt<F> {
        match self {
            Halt::Stopped => Halt::Stopped,
            Halt::Failed(error) => Halt::Failed(change(error)),
        }
    }

    /// The failure, if it is one.
    pub fn failure(self) -> Option<E> {
        match self {
            Halt::Stopped => None,
            Halt::Failed(error) => Some(error),
        }
    }
}

/// What the thread that called hears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<T> {
    /// The job of this number is done.
    Done(usize, T),
    /// So much time has passed. The first comes before any job has begun, the others about ten times a second.
    Tick(Duration),
}

/// Does the jobs 0, 1, ... on so many threads. Each thread makes a `worker` for itself, which does one `job` after the other. `hear` hears of
/// them as they end, in any order; when it breaks, jobs under way are told to stop, and what they still have to say is heard.
///
/// # Errors
/// The first that a worker, a job or `hear` has.
///
/// # Panics
/// If a job does: the others are told to stop before.
pub fn run<W, T: Send, E: Send>(
    jobs: usize,
    threads: usize,
    worker: impl Fn() -> Result<W, E> + Sync,
    job: impl Fn(&mut W, usize, &Stop) -> Result<T, Halt<E>> + Sync,
    mut hear: impl FnMut(Event<T>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let (stop, next) = (Stop::default(), AtomicUsize::new(0));
    let (bell, unheard) = (Bell::default(), Mutex::new(VecDeque::new()));
    let say = |said: Result<(usize, T), E>| {
        unheard.lock().unwrap().push_back(said);
        bell.ring()
    };
    let work = || {
        let _guard = StopInPanic(&stop);
        let mut worker = match worker() {
            Ok(worker) => worker,
            Err(error) => {
                say(Err(error));
                return;
            }
        };
        while stop.go_on() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= jobs {
                break;
            }
            let said = match job(&mut worker, number, &stop) {
                Ok(done) => say(Ok((number, done))),
                Err(Halt::Failed(error)) => say(Err(error)),
                Err(Halt::Stopped) => true,
            };
            // Nobody hears if the run has ended with an error.
            if !said {
                break;
            }
        }
    };
    let mut failure = None;
    let mut hear = |event: Event<()>| {
        let event = match event {
            Event::Tick(time) => Ok(Event::Tick(time)),
            Event::Done(..) => {
                let said = unheard.lock().unwrap().pop_front().expect("the bell rings once for each");
                said.map(|(number, done)| Event::Done(number, done))
            }
        };
        match event.and_then(&mut hear) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => stop.stop(),
            Err(error) => {
                failure = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    crew(threads.clamp(1, jobs.max(1)), &stop, &bell, &work, &mut hear);
    failure.map_or(Ok(()), Err)
}

/// The threads of [`run`] and the clock of whoever listens; `Done` stands for one ring of the bell. It knows no types, so that it is compiled
/// once: with channels of every kind of result, threads and channels were a twelfth of the code of the program.
fn crew(
    threads: usize,
    stop: &Stop,
    bell: &Bell,
    work: &(dyn Fn() + Sync),
    hear: &mut dyn FnMut(Event<()>) -> ControlFlow<()>,
) {
    let begun = Instant::now();
    if hear(Event::Tick(Duration::ZERO)).is_break() || !stop.go_on() {
        return;
    }
    bell.rung.lock().unwrap().workers = threads;
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let _guard = Leaving(bell);
                work();
            });
        }
        // However this ends, the workers end too, those that wait to be heard as well.
        let _guard = StopAtEnd(stop, bell);
        let mut told = begun;
        loop {
            let glance = if begun.elapsed() < BEGINNING { FIRST_GLANCE } else { GLANCE };
            match bell.heard(glance.saturating_sub(told.elapsed())) {
                Heard::Ring if hear(Event::Done(0, ())).is_break() => return,
                Heard::AllLeft => return,
                Heard::Ring | Heard::Nothing => {}
            }
            if told.elapsed() >= glance {
                told = Instant::now();
                if hear(Event::Tick(begun.elapsed())).is_break() {
                    return;
                }
            }
        }
    });
}

/// How workers tell the listener that there is something to hear.
#[derive(Default)]
struct Bell {
    rung: Mutex<Rung>,
    /// To the listener: rung, or the last worker has left.
    changed: Condvar,
    /// To the workers: there is room again, or nobody listens.
    room: Condvar,
}

#[derive(Default)]
struct Rung {
    times: usize,
    workers: usize,
    closed: bool,
}

enum Heard {
    Ring,
    Nothing,
    AllLeft,
}

impl Bell {
    /// Rings, then waits until few enough are unheard; false if nobody listens any more.
    fn ring(&self) -> bool {
        let mut rung = self.rung.lock().unwrap();
        rung.times += 1;
        if rung.times == 1 {
            self.changed.notify_one();
        }
        rung = self.room.wait_while(rung, |rung| rung.times > MOST_UNHEARD && !rung.closed).unwrap();
        !rung.closed
    }

    /// Waits for a ring, but not longer than this.
    fn heard(&self, most: Duration) -> Heard {
        let rung = self.rung.lock().unwrap();
        let waiting = |rung: &mut Rung| rung.times == 0 && rung.workers > 0;
        let (mut rung, _) = self.changed.wait_timeout_while(rung, most, waiting).unwrap();
        if rung.times > 0 {
            rung.times -= 1;
            // All that wait: to wake one a ring left the others asleep for ever where more wait than may be unheard.
            if rung.times == MOST_UNHEARD {
                self.room.notify_all();
            }
            return Heard::Ring;
        }
        if rung.workers == 0 { Heard::AllLeft } else { Heard::Nothing }
    }
}

/// The same, but jobs are heard of in the order of their numbers: of one that is done before another with a lower number only after that one.
/// A run that is broken off has been heard up to its first gap.
///
/// # Errors
/// The first that a worker, a job or `hear` has.
///
/// # Panics
/// If a job does: the others are told to stop before.
pub fn run_in_order<W, T: Send, E: Send>(
    jobs: usize,
    threads: usize,
    worker: impl Fn() -> Result<W, E> + Sync,
    job: impl Fn(&mut W, usize, &Stop) -> Result<T, Halt<E>> + Sync,
    mut hear: impl FnMut(Event<T>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let (mut waiting, mut heard) = (BTreeMap::new(), 0);
    run(jobs, threads, worker, job, |event| match event {
        Event::Done(number, done) => {
            waiting.insert(number, done);
            let mut flow = ControlFlow::Continue(());
            while let Some(done) = waiting.remove(&heard) {
                if hear(Event::Done(heard, done))?.is_break() {
                    flow = ControlFlow::Break(());
                }
                heard += 1;
            }
            Ok(flow)
        }
        tick @ Event::Tick(_) => hear(tick),
    })
}

/// The results of all jobs in the order of their numbers; `None` if `watch`, which is told how many are done, breaks off.
///
/// # Errors
/// The first that a worker or a job has.
///
/// # Panics
/// If a job does: the others are told to stop before.
pub fn map<W, T: Send, E: Send>(
    jobs: usize,
    threads: usize,
    worker: impl Fn() -> Result<W, E> + Sync,
    job: impl Fn(&mut W, usize, &Stop) -> Result<T, Halt<E>> + Sync,
    mut watch: impl FnMut(usize) -> ControlFlow<()>,
) -> Result<Option<Vec<T>>, E> {
    let (mut results, mut done, mut flow) = (Vec::new(), 0, ControlFlow::Continue(()));
    results.resize_with(jobs, || None);
    run(jobs, threads, worker, job, |event| {
        if let Event::Done(number, result) = event {
            results[number] = Some(result);
            done += 1;
        }
        if watch(done).is_break() {
            flow = ControlFlow::Break(());
        }
        Ok(flow)
    })?;
    Ok(if flow.is_break() { None } else { results.into_iter().collect() })
}

/// Stops all when a job panics.
struct StopInPanic<'a>(&'a Stop);

impl Drop for StopInPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Stops all when nobody listens any more.
struct StopAtEnd<'a>(&'a Stop, &'a Bell);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
        self.1.rung.lock().unwrap().closed = true;
        self.1.room.notify_all();
    }
}

/// Tells that a worker has left, in whatever way.
struct Leaving<'a>(&'a Bell);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.rung.lock().unwrap().workers -= 1;
        self.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    const GO_ON: Result<ControlFlow<()>, String> = Ok(ControlFlow::Continue(()));

    /// Waits, as long games do, but not longer than it may.
    fn until_stopped(stop: &Stop) -> Halt<String> {
        while stop.go_on() {
            thread::sleep(Duration::from_millis(1));
        }
        Halt::Stopped
    }

    #[test]
    fn results_come_in_their_order_on_any_number_of_threads() {
        for threads in [0, 1, 3, 100] {
            let job = |done: &mut usize, number: usize, _: &Stop| {
                // The first ones take longest.
                thread::sleep(Duration::from_millis(20_u64.saturating_sub(4 * number as u64)));
                *done += 1;
                Ok((number * number, *done))
            };
            let (mut heard, mut ticks, mut most) = (Vec::new(), 0, 0);
            run_in_order(
                40,
                threads,
                || Ok(0),
                job,
                |event| {
                    match event {
                        Event::Done(number, (square, by_worker)) => {
                            heard.push((number, square));
                            most = most.max(by_worker);
                        }
                        Event::Tick(_) => ticks += 1,
                    }
                    GO_ON
                },
            )
            .unwrap();
            // A worker stays for all jobs of its thread.
            assert!(most >= 40 / threads.clamp(1, 40), "{most}");
            assert_eq!(heard, (0..40).map(|number| (number, number * number)).collect::<Vec<_>>());
            assert!(ticks > 1);
        }
    }

    #[test]
    fn nothing_is_done_twice_and_nothing_left_out() {
        let mut seen = Vec::new();
        let hear = |event| {
            if let Event::Done(number, ()) = event {
                seen.push(number);
            }
            GO_ON
        };
        run(1000, 4, || Ok(()), |(), _, _| Ok(()), hear).unwrap();
        seen.sort_unstable();
        assert_eq!(seen, (0..1000).collect::<Vec<_>>());
        run(0, 4, || Ok(()), |(), _, _| Ok(()), |_| GO_ON).unwrap();
    }

    #[test]
    fn whoever_is_not_heard_waits_and_is_heard_to_the_last() {
        // As many as wait for ever if one is woken for each that is heard; and so few that most of their jobs are to come.
        for (jobs, threads, pause) in [(4 * MOST_UNHEARD, 3 * MOST_UNHEARD, 1), (1000, 2, 0)] {
            let (begun, mut heard) = (AtomicUsize::new(0), 0);
            let job = |(): &mut (), _: usize, _: &Stop| {
                begun.fetch_add(1, Ordering::Relaxed);
                Ok(())
            };
            let hear = |event| {
                if let Event::Done(..) = event {
                    thread::sleep(Duration::from_millis(if heard == 0 { 20 } else { pause }));
                    heard += 1;
                    assert!(begun.load(Ordering::Relaxed) <= heard + MOST_UNHEARD + threads);
                }
                GO_ON
            };
            run(jobs, threads, || Ok(()), job, hear).unwrap();
            assert_eq!(heard, jobs);
        }
    }

    #[test]
    fn it_stops_soon_and_has_heard_up_to_the_first_gap() {
        let mut heard = Vec::new();
        let job = |(): &mut (), number: usize, stop: &Stop| match number {
            5 => Err(until_stopped(stop)),
            _ => Ok(number),
        };
        let begun = Instant::now();
        let mut told = None;
        run_in_order(
            1000,
            2,
            || Ok(()),
            job,
            |event| {
                match event {
                    Event::Done(number, _) => heard.push(number),
                    Event::Tick(time) if time > Duration::from_millis(300) => {
                        told.get_or_insert(begun.elapsed());
                        return Ok(ControlFlow::Break(()));
                    }
                    Event::Tick(_) => {}
                }
                GO_ON
            },
        )
        .unwrap();
        assert_eq!(heard, [0, 1, 2, 3, 4]);
        assert!(begun.elapsed() - told.unwrap() < Duration::from_millis(200));
        // Who breaks off after a job hears of few more, of those that were done meanwhile.
        for in_order in [false, true] {
            let mut heard = 0;
            let hear = |event| {
                let is_done = matches!(event, Event::Done(..));
                heard += usize::from(is_done);
                // Said once, and not by a tick.
                Ok::<_, String>(if is_done && heard == 3 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            };
            let quick = |(): &mut (), number: usize, _: &Stop| Ok(number);
            match in_order {
                true => run_in_order(10_000, 2, || Ok(()), quick, hear).unwrap(),
                false => run(10_000, 2, || Ok(()), quick, hear).unwrap(),
            }
            assert!((3..1000).contains(&heard), "{heard}");
        }
        // Who breaks off at once has nothing done, and nobody made who could.
        let never = |(): &mut (), _: usize, _: &Stop| -> Result<(), Halt<String>> { unreachable!() };
        let nobody = || unreachable!();
        run(3, 2, nobody, never, |_| Ok(ControlFlow::Break(()))).unwrap();
    }

    #[test]
    fn all_results_or_none() {
        let square = |(): &mut (), number: usize, _: &Stop| Ok::<_, Halt<String>>(number * number);
        let mut seen = 0;
        let mut watch = |done| {
            seen = done;
            ControlFlow::Continue(())
        };
        let squares = map(100, 3, || Ok(()), square, &mut watch).unwrap().unwrap();
        assert_eq!((squares, seen), ((0..100).map(|number| number * number).collect(), 100));
        let stop_at =
            |most| move |done| if done < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        assert_eq!(map(100, 3, || Ok(()), square, stop_at(50)).unwrap(), None);
        // Who breaks off at the last one does not want it either.
        assert_eq!(map(100, 3, || Ok(()), square, stop_at(100)).unwrap(), None);
    }

    #[test]
    fn errors_of_workers_jobs_and_listeners_are_carried_out() {
        let wait = |(): &mut (), number: usize, stop: &Stop| match number {
            3 => Err(Halt::Failed("job 3".to_string())),
            _ => Err(until_stopped(stop)),
        };
        let nothing = |_: Event<()>| GO_ON;
        assert_eq!(run(10, 4, || Ok(()), wait, nothing).unwrap_err(), "job 3");
        let fail = || Err("no worker".to_string());
        assert_eq!(run(10, 2, fail, wait, nothing).unwrap_err(), "no worker");
        let deaf = |event| match event {
            Event::Done(..) => Err("the disk is full".to_string()),
            Event::Tick(_) => GO_ON,
        };
        assert_eq!(run(10_000, 3, || Ok(()), |(), _, _| Ok(()), deaf).unwrap_err(), "the disk is full");
        let late = |event: Event<()>| match event {
            Event::Tick(time) if time > Duration::ZERO => Err("too late".to_string()),
            _ => GO_ON,
        };
        let endless = |(): &mut (), _: usize, stop: &Stop| Err(until_stopped(stop));
        assert_eq!(run(10, 2, || Ok(()), endless, late).unwrap_err(), "too late");
    }

    #[test]
    fn a_panic_in_a_job_ends_all_of_them() {
        let job = |(): &mut (), number: usize, stop: &Stop| -> Result<(), Halt<String>> {
            assert!(number != 2, "a mistake of our own");
            Err(until_stopped(stop))
        };
        let all = AssertUnwindSafe(|| run(10, 3, || Ok(()), job, |_| GO_ON));
        assert!(catch_unwind(all).is_err());
        // One of whoever listens too.
        let all = AssertUnwindSafe(|| {
            run(
                10_000,
                3,
                || Ok(()),
                |(), _, _| Ok(()),
                |event| match event {
                    Event::Done(..) => panic!("a mistake of our own"),
                    Event::Tick(_) => GO_ON,
                },
            )
        });
        assert!(catch_unwind(all).is_err());
    }
}
