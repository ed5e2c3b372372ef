// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Saltmill devices from a device tree: compatible "saltmill,device", reg, interrupts. */
#include <linux/mod_devicetable.h>
#include <linux/module.h>

#include "saltmill_uio.h"

/* Not .remove: what that returns is not the same in all kernels. */
static void saltmill_platform_remove(void *saltmill)
{
	saltmill_remove(saltmill);
}

static int saltmill_platform_probe(struct platform_device *platform)
{
	struct saltmill *saltmill;
	struct resource *registers;
	int irq, ret;

	saltmill = devm_kzalloc(&platform->dev, sizeof(*saltmill), GFP_KERNEL);
	if (!saltmill)
		return -ENOMEM;
	saltmill->dev = &platform->dev;
	platform_set_drvdata(platform, saltmill);
	saltmill->registers = devm_platform_get_and_ioremap_resource(platform, 0, &registers);
	if (IS_ERR(saltmill->registers))
		return PTR_ERR(saltmill->registers);
	irq = platform_get_irq(platform, 0);
	if (irq < 0)
		return irq;
	ret = saltmill_add(saltmill, registers, irq, 0);
	if (ret)
		return ret;
	return devm_add_action_or_reset(&platform->dev, saltmill_platform_remove, saltmill);
}

static void saltmill_platform_shutdown(struct platform_device *platform)
{
	saltmill_shutdown(platform_get_drvdata(platform));
}

static const struct of_device_id saltmill_of_ids[] = {
	{ .compatible = "saltmill,device" },
	{ }
};
MODULE_DEVICE_TABLE(of, saltmill_of_ids);

struct platform_driver saltmill_platform_driver = {
	.probe = saltmill_platform_probe,
	.shutdown = saltmill_platform_shutdown,
	.driver = {
		.name = "saltmill_uio",
		.of_match_table = saltmill_of_ids,
	},
};
