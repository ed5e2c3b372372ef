// SPDX-License-Identifier: Apache-2.0
//! Runs of one job, on the caller's thread.

use std::{sync::Arc, time::Instant};

use crate::{
    Engine, EngineError, Event, Interface, Report, Work,
    engine::{Shared, warn},
    placement::Placement,
};

impl Engine {
    /// Does the only job, then finishes. To start a thread takes longer than such a job in the
    /// memory of a worker. A device is waited for, and then somebody must look whether the run is
    /// cancelled: nothing is done, and nothing returned, if there is one, or if the worker fails.
    pub(crate) fn short<P: Placement>(
        &mut self,
        work: &Arc<Work>,
        placement: &P,
        events: &mut dyn FnMut(Event),
        finish: impl FnOnce() -> Result<(), EngineError>,
    ) -> Result<Option<Report>, EngineError> {
        let started = Instant::now();
        let shared = Shared::new(work, self.job_deadline);
        let in_memory = |worker| matches!(worker, Interface::Memory(_));
        if !self.able().all(|member| in_memory(member.worker.interface())) {
            return Ok(None);
        }
        let Some(member) = self.able().next() else { return Ok(None) };
        let report = member.serve(placement, &shared)?;
        warn(&report, events);
        if self.cancel.is_cancelled() {
            return Err(EngineError::Cancelled);
        }
        if !placement.is_complete() {
            return Ok(None);
        }
        finish()?;
        Ok(Some(shared.report(started, vec![report], events)))
    }
}
