# SPDX-License-Identifier: Apache-2.0
# Block design for the PYNQ-Z2: a Saltmill device at the Zynq's GP0 (registers), HP0 (memory) and
# fabric interrupt (through an interrupt controller, as pynq wants it).
#
#   python -m boards.pynq device-aes-ring OUT    # writes OUT/saltmill.v and OUT/sources.tcl
#   vivado -mode batch -source boards/pynq/block_design.tcl -tclargs OUT
#
# gives OUT/saltmill.bit and OUT/saltmill.hwh. Written from AMD's documents (UG835, UG994, UG585,
# PG082): Vivado has never run it. It needs the board files of the PYNQ-Z2 (TUL).

set out [file normalize [lindex $argv 0]]
set board tul.com.tw:pynq-z2:part0:1.0
set clock_mhz 100
# A test compares these with the notebook, and the ports' names with the RTL.
set registers 0x43C00000
set interrupts 0x41800000

create_project -force saltmill $out/project -part xc7z020clg400-1
if {[llength [get_board_parts -quiet $board]] == 0} {
    error "the board files of the PYNQ-Z2 ($board) are not installed"
}
set_property board_part $board [current_project]
source $out/sources.tcl
update_compile_order -fileset sources_1

create_bd_design design
proc ip {name vlnv args} {
    set cell [create_bd_cell -type ip -vlnv xilinx.com:ip:$vlnv $name]
    if {[llength $args]} {
        set_property -dict $args $cell
    }
    return $cell
}

ip ps processing_system7:5.5
apply_bd_automation -rule xilinx.com:bd_rule:processing_system7 \
    -config {make_external "FIXED_IO, DDR" apply_board_preset 1} [get_bd_cells ps]
set_property -dict [list \
    CONFIG.PCW_USE_M_AXI_GP0 1 \
    CONFIG.PCW_USE_S_AXI_HP0 1 \
    CONFIG.PCW_S_AXI_HP0_DATA_WIDTH 64 \
    CONFIG.PCW_USE_FABRIC_INTERRUPT 1 \
    CONFIG.PCW_IRQ_F2P_INTR 1 \
    CONFIG.PCW_EN_CLK0_PORT 1 \
    CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ $clock_mhz \
] [get_bd_cells ps]
ip reset proc_sys_reset:5.0
ip control smartconnect:1.0 CONFIG.NUM_SI 1 CONFIG.NUM_MI 2
# 128 bits and AXI4 of the device become 64 bits and AXI3 of HP0; bursts are cut to 16 beats.
ip memory smartconnect:1.0 CONFIG.NUM_SI 1 CONFIG.NUM_MI 1
# The device's interrupt is a level, high.
ip intc axi_intc:4.1 CONFIG.C_KIND_OF_INTR 0 CONFIG.C_IRQ_CONNECTION 1
create_bd_cell -type module -reference saltmill saltmill_0

foreach {from to} {
    ps/M_AXI_GP0 control/S00_AXI
    control/M00_AXI saltmill_0/s_axil
    control/M01_AXI intc/s_axi
    saltmill_0/m_axi memory/S00_AXI
    memory/M00_AXI ps/S_AXI_HP0
} {
    connect_bd_intf_net [get_bd_intf_pins $from] [get_bd_intf_pins $to]
}
foreach pin {
    ps/M_AXI_GP0_ACLK ps/S_AXI_HP0_ACLK reset/slowest_sync_clk control/aclk memory/aclk
    intc/s_axi_aclk saltmill_0/aclk
} {
    connect_bd_net [get_bd_pins ps/FCLK_CLK0] [get_bd_pins $pin]
}
connect_bd_net [get_bd_pins ps/FCLK_RESET0_N] [get_bd_pins reset/ext_reset_in]
foreach pin {control/aresetn memory/aresetn intc/s_axi_aresetn saltmill_0/aresetn} {
    connect_bd_net [get_bd_pins reset/peripheral_aresetn] [get_bd_pins $pin]
}
connect_bd_net [get_bd_pins saltmill_0/irq_o] [get_bd_pins intc/intr]
connect_bd_net [get_bd_pins intc/irq] [get_bd_pins ps/IRQ_F2P]

assign_bd_address -offset $registers -range 4K -target_address_space [get_bd_addr_spaces ps/Data] \
    [get_bd_addr_segs saltmill_0/s_axil/reg0]
assign_bd_address -offset $interrupts -range 64K \
    -target_address_space [get_bd_addr_spaces ps/Data] [get_bd_addr_segs intc/S_AXI/Reg]
assign_bd_address -target_address_space [get_bd_addr_spaces saltmill_0/m_axi] \
    [get_bd_addr_segs ps/S_AXI_HP0/HP0_DDR_LOWOCM]
validate_bd_design
save_bd_design

set top [make_wrapper -files [get_files design.bd] -top]
add_files -norecurse $top
set_property top design_wrapper [current_fileset]
launch_runs impl_1 -to_step write_bitstream
wait_on_run impl_1
if {[get_property PROGRESS [get_runs impl_1]] ne "100%"} {
    error "the implementation did not end: see $out/project"
}
set project [get_property DIRECTORY [current_project]]
file copy -force $project/saltmill.runs/impl_1/design_wrapper.bit $out/saltmill.bit
file copy -force $project/saltmill.gen/sources_1/bd/design/hw_handoff/design.hwh $out/saltmill.hwh
