/* docs/install/no_udev.c: in place of libudev.a, which Debian does not have, for programs that are linked statically.
 * hwloc asks libudev for properties of disks only; this one knows no disks. How it is used: README.md#static-linking */
#include <stddef.h>

void *udev_new(void);
void *udev_unref(void *udev);
void *udev_device_new_from_subsystem_sysname(void *udev, const char *subsystem, const char *name);
const char *udev_device_get_property_value(void *device, const char *key);
void *udev_device_unref(void *device);

void *
udev_new(void)
{
    return NULL;
}

void *
udev_unref(void *udev)
{
    return udev;
}

void *
udev_device_new_from_subsystem_sysname(void *udev, const char *subsystem, const char *name)
{
    (void)udev, (void)subsystem, (void)name;
    return NULL;
}

const char *
udev_device_get_property_value(void *device, const char *key)
{
    (void)device, (void)key;
    return NULL;
}

void *
udev_device_unref(void *device)
{
    return device;
}
