// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A Saltmill device for user space (UIO): map 0 its registers, map 1 coherent
 * memory, and its interrupt.
 *
 * The device can read and write all memory that the bus lets it reach, so it
 * may be bus master only while somebody has it open. Before its memory is given
 * back, it is wiped, which ends all its transactions.
 */
#include "registers.h"

#include <linux/bitfield.h>
#include <linux/dma-mapping.h>
#include <linux/idr.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/iopoll.h>
#include <linux/mm.h>
#include <linux/module.h>

#include "saltmill_uio.h"

/* A wipe takes some hundred cycles and what memory needs to answer. */
#define WIPE_POLL_US	10
#define WIPE_TIMEOUT_US	USEC_PER_SEC

static unsigned int dma_bytes = 2 << 20;
module_param(dma_bytes, uint, 0444);
MODULE_PARM_DESC(dma_bytes, "memory of each device in bytes (default 2 MiB)");

static DEFINE_IDA(saltmill_ids);

static struct saltmill *from_info(struct uio_info *info)
{
	return container_of(info, struct saltmill, info);
}

static u32 saltmill_read(struct saltmill *saltmill, size_t offset)
{
	return ioread32(saltmill->registers + offset);
}

static void saltmill_write(struct saltmill *saltmill, size_t offset, u32 value)
{
	iowrite32(value, saltmill->registers + offset);
}

/* Without interrupts, jobs, keys and transactions; or an error. */
static int saltmill_quiet(struct saltmill *saltmill)
{
	u32 status;
	int ret;

	saltmill_write(saltmill, REGISTER(interrupt_enable), 0);
	saltmill_write(saltmill, REGISTER(control), CONTROL_WIPE);
	ret = read_poll_timeout(saltmill_read, status, !(status & STATUS_WIPING),
				WIPE_POLL_US, WIPE_TIMEOUT_US, false,
				saltmill, REGISTER(status));
	/* A device that was pulled out answers nothing and writes nothing. */
	if (ret && saltmill_read(saltmill, REGISTER(magic)) != MAGIC)
		ret = 0;
	saltmill->stuck = ret;
	if (ret)
		dev_err(saltmill->dev, "memory does not answer the device; it can't be wiped\n");
	return ret;
}

static void saltmill_master(struct saltmill *saltmill, bool on)
{
	if (!IS_ENABLED(CONFIG_PCI) || !saltmill->pci)
		return;
	if (on)
		pci_set_master(saltmill->pci);
	else
		pci_clear_master(saltmill->pci);
}

/* One at a time: the ring and the memory have one owner. Called with UIO's lock. */
static int saltmill_open(struct uio_info *info, struct inode *inode)
{
	struct saltmill *saltmill = from_info(info);
	int ret;

	if (saltmill->opened)
		return -EBUSY;
	ret = saltmill_quiet(saltmill);
	if (ret)
		return -EIO;
	saltmill_master(saltmill, true);
	ihold(inode);
	saltmill->opened = inode;
	return 0;
}

/*
 * The file and all its mappings are gone, also if the process was killed with
 * jobs under way. Keys and data must not be left for who opens it next.
 */
static int saltmill_release(struct uio_info *info, struct inode *inode)
{
	struct saltmill *saltmill = from_info(info);

	saltmill_quiet(saltmill);
	saltmill_master(saltmill, false);
	memset(saltmill->memory, 0, saltmill->bytes);
	iput(saltmill->opened);
	saltmill->opened = NULL;
	return 0;
}

static int saltmill_mmap(struct uio_info *info, struct vm_area_struct *vma)
{
	struct saltmill *saltmill = from_info(info);
	unsigned long map = vma->vm_pgoff;
	int ret;

	/* UIO has checked the length. Here, an offset is inside the map. */
	vma->vm_pgoff = 0;
	if (map) {
		ret = dma_mmap_coherent(saltmill->dev, vma, saltmill->memory,
					saltmill->bus, saltmill->bytes);
	} else {
		vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
		ret = vm_iomap_memory(vma, info->mem[0].addr, info->mem[0].size);
	}
	vma->vm_pgoff = map;
	return ret;
}

static bool saltmill_line_is_up(struct saltmill *saltmill)
{
	u32 enabled = saltmill_read(saltmill, REGISTER(interrupt_enable));

	return saltmill_read(saltmill, REGISTER(interrupt_status)) & enabled;
}

/*
 * The line is a level: off until user space has looked and writes 1 to the file.
 * Others may share it, or it may be wired wrongly; a message is for us alone.
 */
static irqreturn_t saltmill_interrupt(int irq, struct uio_info *info)
{
	struct saltmill *saltmill = from_info(info);

	if (!saltmill->message && !saltmill_line_is_up(saltmill))
		return IRQ_NONE;
	saltmill_write(saltmill, REGISTER(interrupt_enable), 0);
	return IRQ_HANDLED;
}

static int saltmill_irqcontrol(struct uio_info *info, s32 on)
{
	saltmill_write(from_info(info), REGISTER(interrupt_enable),
		       on ? INTERRUPT_DONE : 0);
	return 0;
}

static int saltmill_check(struct saltmill *saltmill)
{
	u32 magic = saltmill_read(saltmill, REGISTER(magic));
	u32 version = saltmill_read(saltmill, REGISTER(version));
	u32 port = saltmill_read(saltmill, REGISTER(port));

	if (magic != MAGIC || FIELD_GET(VERSION_MAJOR, version) != KNOWN_MAJOR)
		return dev_err_probe(saltmill->dev, -ENODEV,
				     "no Saltmill device of version %u: magic %#x, version %#x\n",
				     KNOWN_MAJOR, magic, version);
	return dma_set_mask_and_coherent(saltmill->dev,
					 DMA_BIT_MASK(FIELD_GET(ADDRESS_BITS, port)));
}

static void saltmill_free(struct saltmill *saltmill)
{
	if (saltmill->stuck)
		dev_err(saltmill->dev, "its memory is never used again: the device may write to it\n");
	else
		dma_free_coherent(saltmill->dev, saltmill->bytes,
				  saltmill->memory, saltmill->bus);
	ida_free(&saltmill_ids, saltmill->id);
}

/* Makes it known. pci, dev and registers are set; irq is not requested yet. */
int saltmill_add(struct saltmill *saltmill, const struct resource *registers,
		 int irq, unsigned long irq_flags)
{
	struct uio_info *info = &saltmill->info;
	int ret;

	if (!PAGE_ALIGNED(registers->start) ||
	    resource_size(registers) < PAGE_ALIGN(sizeof(saltmill_t)))
		return dev_err_probe(saltmill->dev, -EINVAL,
				     "the registers %pR are no pages of their own\n",
				     registers);
	ret = saltmill_check(saltmill);
	if (ret)
		return ret;
	saltmill_master(saltmill, false);
	ret = saltmill_quiet(saltmill);
	if (ret)
		return ret;

	saltmill->id = ida_alloc(&saltmill_ids, GFP_KERNEL);
	if (saltmill->id < 0)
		return saltmill->id;
	saltmill->bytes = PAGE_ALIGN(dma_bytes);
	saltmill->memory = dma_alloc_coherent(saltmill->dev, saltmill->bytes,
					      &saltmill->bus, GFP_KERNEL);
	if (!saltmill->memory) {
		ida_free(&saltmill_ids, saltmill->id);
		return dev_err_probe(saltmill->dev, -ENOMEM,
				     "no %zu contiguous bytes; try a smaller dma_bytes\n",
				     saltmill->bytes);
	}

	snprintf(saltmill->name, sizeof(saltmill->name), "saltmill%d", saltmill->id);
	info->name = saltmill->name;
	info->version = "1";
	info->irq = irq;
	info->irq_flags = irq_flags;
	info->handler = saltmill_interrupt;
	info->irqcontrol = saltmill_irqcontrol;
	info->open = saltmill_open;
	info->release = saltmill_release;
	info->mmap = saltmill_mmap;
	info->mem[0].name = "registers";
	info->mem[0].addr = registers->start;
	info->mem[0].size = PAGE_ALIGN(sizeof(saltmill_t));
	info->mem[0].memtype = UIO_MEM_PHYS;
	/* addr tells user space the address for descriptors: the one on the bus. */
	info->mem[1].name = "dma";
	info->mem[1].addr = saltmill->bus;
	info->mem[1].size = saltmill->bytes;
	info->mem[1].memtype = UIO_MEM_PHYS;
	ret = uio_register_device(saltmill->dev, info);
	if (ret)
		saltmill_free(saltmill);
	return ret;
}

/* The device goes away, in use or not: no mapping, no interrupt, no DMA after this. */
void saltmill_remove(struct saltmill *saltmill)
{
	/* From now on no file operation gets here; reads and writes give EIO. */
	uio_unregister_device(&saltmill->info);
	if (saltmill->opened) {
		unmap_mapping_range(saltmill->opened->i_mapping, 0, 0, 1);
		iput(saltmill->opened);
	}
	saltmill_shutdown(saltmill);
	saltmill_free(saltmill);
}

/* Also before another kernel starts: it does not know what the device may write to. */
void saltmill_shutdown(struct saltmill *saltmill)
{
	saltmill_quiet(saltmill);
	saltmill_master(saltmill, false);
}

static int __init saltmill_init(void)
{
	int ret = platform_driver_register(&saltmill_platform_driver);

#ifdef CONFIG_PCI
	if (!ret) {
		ret = pci_register_driver(&saltmill_pci_driver);
		if (ret)
			platform_driver_unregister(&saltmill_platform_driver);
	}
#endif
	return ret;
}

static void __exit saltmill_exit(void)
{
#ifdef CONFIG_PCI
	pci_unregister_driver(&saltmill_pci_driver);
#endif
	platform_driver_unregister(&saltmill_platform_driver);
}

module_init(saltmill_init);
module_exit(saltmill_exit);
MODULE_DESCRIPTION("Saltmill devices for user space");
MODULE_LICENSE("Dual MIT/GPL");
