# SPDX-License-Identifier: Apache-2.0
# Virtual pins: a block may have more ports than the package has pins. The clock keeps a real one.
foreach ports {aresetn wipe_i param_* s_axi* m_axi* *_o} {
  set_instance_assignment -name VIRTUAL_PIN ON -to $ports
}
