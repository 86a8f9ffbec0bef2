"""Takes the memory of the first GPU, all that is free now or later, until its standard input ends. Through CUDA's driver alone."""
import ctypes
import select
import sys


def take():
    cuda = ctypes.CDLL("libcuda.so.1")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    for status in (cuda.cuInit(0), cuda.cuDeviceGet(ctypes.byref(device), 0), cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device),
                   cuda.cuCtxSetCurrent(context)):
        if status != 0:
            sys.exit(f"take_gpu_memory: CUDA says {status}")
    size = 1 << 34
    while not select.select([sys.stdin], [], [], 0.002)[0]:
        memory = ctypes.c_uint64()
        if cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(size)) != 0:
            size = max(size // 2, 1 << 20)


take()
