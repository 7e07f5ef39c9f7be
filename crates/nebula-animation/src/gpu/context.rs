use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};

use super::GpuError;

/// Records that a device was lost. Clones share the record.
#[derive(Debug, Clone, Default)]
pub struct LostFlag(Arc<OnceLock<String>>);

impl LostFlag {
    /// Reports the loss; only the first reason is kept.
    pub fn set(&self, reason: impl Into<String>) {
        let _ = self.0.set(reason.into());
    }

    /// The reason, if the device is lost.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}

/// A device and its queue, watched for loss. Clones share the device.
#[derive(Debug, Clone)]
pub struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    limits: wgpu::Limits,
    lost: LostFlag,
}

impl Gpu {
    /// Wraps a device. Sets its device-lost callback; if you need that yourself, use [`Gpu::with_flag`].
    #[must_use]
    pub fn new(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let lost = LostFlag::default();
        let flag = lost.clone();
        device.set_device_lost_callback(move |reason, message| flag.set(format!("{reason:?}: {message}")));
        Self::with_flag(device, queue, lost)
    }

    /// Wraps a device whose device-lost callback is yours: call [`LostFlag::set`] in it.
    #[must_use]
    pub fn with_flag(device: wgpu::Device, queue: wgpu::Queue, lost: LostFlag) -> Self {
        Self { limits: device.limits(), device, queue, lost }
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The queue.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// The limits of the device.
    #[must_use]
    pub fn limits(&self) -> &wgpu::Limits {
        &self.limits
    }

    /// Checks that the device is not lost. Every call of this module does so.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`].
    pub fn check(&self) -> Result<(), GpuError> {
        // The callback runs in a poll.
        let _ = self.device.poll(wgpu::PollType::Poll);
        match self.lost.reason() {
            Some(reason) => Err(GpuError::DeviceLost { reason: reason.to_owned() }),
            None => Ok(()),
        }
    }

    /// Waits until the GPU has finished all work.
    ///
    /// # Errors
    /// [`GpuError::DeviceLost`].
    pub fn wait(&self) -> Result<(), GpuError> {
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        self.check()?;
        waited.map(|_| ()).map_err(|error| GpuError::Refused(error.to_string()))
    }

    /// Runs calls that create things, and returns the errors of `wgpu`.
    pub(super) fn scoped<T>(&self, work: impl FnOnce() -> T) -> Result<T, GpuError> {
        self.check()?;
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let internal = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let made = work();
        let (validation, internal, memory) = (ready(validation.pop()), ready(internal.pop()), ready(memory.pop()));
        self.check()?;
        // What is missing for lack of memory is invalid wherever it is used: the cause comes first.
        match memory.or(internal).or(validation) {
            Some(wgpu::Error::OutOfMemory { .. }) => Err(GpuError::OutOfMemory),
            Some(error) => Err(GpuError::Refused(error.to_string())),
            None => Ok(made),
        }
    }

    /// A buffer with these bytes.
    pub(super) fn buffer_with(&self, label: &str, usage: wgpu::BufferUsages, bytes: &[u8]) -> wgpu::Buffer {
        let usage = usage | wgpu::BufferUsages::COPY_DST;
        let size = (bytes.len() as u64).next_multiple_of(4).max(16);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            usage,
            mapped_at_creation: false,
        });
        if !bytes.is_empty() {
            self.queue.write_buffer(&buffer, 0, bytes);
        }
        buffer
    }

    pub(super) fn has_compute(&self) -> bool {
        self.limits.max_compute_workgroups_per_dimension > 0
    }
}

/// What an error scope holds. In a browser the answer comes later: calls are taken as accepted then.
fn ready(future: impl Future<Output = Option<wgpu::Error>>) -> Option<wgpu::Error> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(error) => error,
        Poll::Pending => None,
    }
}
