# SPDX-License-Identifier: Apache-2.0
# The clock of a block by itself, for Vivado and Quartus: 5 ns is what they aim at, 200 MHz.
create_clock -name aclk -period 5.000 [get_ports aclk]
