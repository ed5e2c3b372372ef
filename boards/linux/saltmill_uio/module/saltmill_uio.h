/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SALTMILL_UIO_H
#define SALTMILL_UIO_H

#include <linux/fs.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/uio_driver.h>

/* A device, from probe to removal. */
struct saltmill {
	struct uio_info info;
	struct device *dev;
	struct pci_dev *pci;	/* NULL: from a device tree */
	void __iomem *registers;
	void *memory;		/* what the device may read and write */
	dma_addr_t bus;		/* and its address on the bus */
	size_t bytes;
	struct inode *opened;	/* the file that is open, if any */
	bool stuck;		/* it may still write to its memory */
	bool message;		/* its interrupt is a message (MSI), not a line */
	int id;
	char name[16];
};

int saltmill_add(struct saltmill *saltmill, const struct resource *registers,
		 int irq, unsigned long irq_flags);
void saltmill_remove(struct saltmill *saltmill);
void saltmill_shutdown(struct saltmill *saltmill);

extern struct platform_driver saltmill_platform_driver;

#ifdef CONFIG_PCI
extern struct pci_driver saltmill_pci_driver;
#endif

#endif
