// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Saltmill devices on PCI: BAR 0 holds the registers; MSI, or INTx. */
#include <linux/interrupt.h>
#include <linux/module.h>

#include "saltmill_uio.h"

/*
 * pid.codes' identifier for tests, as in crates/saltmill-vfio-user: give a
 * product one of its own. What answers to it is asked for its magic number.
 */
#define SALTMILL_PCI_VENDOR	0x1209
#define SALTMILL_PCI_DEVICE	0x0001
#define REGISTERS_BAR		0

static int saltmill_pci_probe(struct pci_dev *pci, const struct pci_device_id *id)
{
	struct saltmill *saltmill;
	int ret;

	saltmill = devm_kzalloc(&pci->dev, sizeof(*saltmill), GFP_KERNEL);
	if (!saltmill)
		return -ENOMEM;
	saltmill->pci = pci;
	saltmill->dev = &pci->dev;
	pci_set_drvdata(pci, saltmill);

	ret = pci_enable_device(pci);
	if (ret)
		return ret;
	ret = pci_request_region(pci, REGISTERS_BAR, "saltmill_uio");
	if (ret)
		goto disable;
	saltmill->registers = pci_iomap(pci, REGISTERS_BAR, 0);
	if (!saltmill->registers) {
		ret = -ENOMEM;
		goto release;
	}
	ret = pci_alloc_irq_vectors(pci, 1, 1, PCI_IRQ_ALL_TYPES);
	if (ret < 0)
		goto unmap;
	saltmill->message = pci_dev_msi_enabled(pci);
	ret = saltmill_add(saltmill, &pci->resource[REGISTERS_BAR],
			   pci_irq_vector(pci, 0),
			   saltmill->message ? 0 : IRQF_SHARED);
	if (!ret)
		return 0;

	pci_free_irq_vectors(pci);
unmap:
	pci_iounmap(pci, saltmill->registers);
release:
	pci_release_region(pci, REGISTERS_BAR);
disable:
	pci_disable_device(pci);
	return ret;
}

static void saltmill_pci_remove(struct pci_dev *pci)
{
	struct saltmill *saltmill = pci_get_drvdata(pci);

	saltmill_remove(saltmill);
	pci_free_irq_vectors(pci);
	pci_iounmap(pci, saltmill->registers);
	pci_release_region(pci, REGISTERS_BAR);
	pci_disable_device(pci);
}

static void saltmill_pci_shutdown(struct pci_dev *pci)
{
	saltmill_shutdown(pci_get_drvdata(pci));
}

static const struct pci_device_id saltmill_pci_ids[] = {
	{ PCI_DEVICE(SALTMILL_PCI_VENDOR, SALTMILL_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, saltmill_pci_ids);

struct pci_driver saltmill_pci_driver = {
	.name = "saltmill_uio",
	.id_table = saltmill_pci_ids,
	.probe = saltmill_pci_probe,
	.remove = saltmill_pci_remove,
	.shutdown = saltmill_pci_shutdown,
};
