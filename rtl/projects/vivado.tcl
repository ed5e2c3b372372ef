# SPDX-License-Identifier: Apache-2.0
# Synthesis without pins: ports stay ports, so a block may have more of them than the package.
set_property -name {STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS} -value {-mode out_of_context} \
    -objects [get_runs synth_1]
