// SPDX-License-Identifier: Apache-2.0
//! `saltmill cipher`.

use saltmill_engine::{BLOCK_BYTES, Cipher, CounterError, Work};

use crate::{
    args::{Algorithm, CipherArguments},
    failure::Failure,
    input::{Input, InputKind},
    key_file,
    output::Target,
    part,
    run::Run,
    transfer::Job,
};

/// The simulated device, if none is named.
const VARIANT: &str = "ring2";

/// Runs the command. Nothing is made or changed before everything that can be checked is.
pub fn run(arguments: &CipherArguments) -> Result<(), Failure> {
    let Algorithm::Chacha20 = arguments.algorithm;
    let key = key_file::read(&arguments.key_file)?;
    let cipher = Cipher::new(key, arguments.nonce.0, arguments.counter);
    let input = Input::open(arguments.input.as_deref())?;
    if let InputKind::Regular(_, len) = input.kind {
        cipher.check_length(len).map_err(|error| too_long(error, &input.name))?;
    }
    let target = Target::check(arguments.output.as_deref(), Some(&input), arguments.run.force)?;
    let run = Run::prepare(&arguments.run, &input, target, VARIANT)?;
    let Some(range) = arguments.range else { return run.work(input, Work::from(cipher).into()) };
    let (input, part) = part::of_blocks(input, range)?;
    let job = Job::from(Work::from(cipher.from_block(part.first)));
    run.work(input, Job { skip: part.skip, window: Some(part.window), ..job })
}

/// What to say of an input that the counter does not reach.
pub fn too_long(error: CounterError, input: &str) -> Failure {
    let CounterError { counter, longest, .. } = error;
    Failure::usage(
        format!(
            "{input} is too long: from counter {counter} on, one nonce is good for {longest} bytes"
        ),
        format!(
            "use a smaller --counter, or cut the input into parts of at most {longest} bytes \
                 ({} blocks), each with a nonce of its own",
            longest / BLOCK_BYTES
        ),
    )
}
