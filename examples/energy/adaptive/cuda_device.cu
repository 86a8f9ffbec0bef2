// The functions of grid_kernels.h as kernels. Particles stay on the GPU for all steps of a call; they come
// back only when all went well.
#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "cuda_device.h"
#include "grid_kernels.h"

namespace adaptive {

namespace {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw DeviceLost(std::string(what) + ": " + cudaGetErrorString(status));
}

template <class Value>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), sizeof(Value) * (count == 0 ? 1 : count)), "cudaMalloc");
  }
  explicit Buffer(const std::vector<Value>& from) : Buffer(from.size()) {
    check(cudaMemcpy(data_, from.data(), sizeof(Value) * count_, cudaMemcpyHostToDevice), "copy to the GPU");
  }
  ~Buffer() { cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  Value* data() const { return data_; }
  void clear() { check(cudaMemset(data_, 0, sizeof(Value) * count_), "cudaMemset"); }
  std::vector<Value> values() const {
    std::vector<Value> to(count_);
    check(cudaMemcpy(to.data(), data_, sizeof(Value) * count_, cudaMemcpyDeviceToHost), "copy from the GPU");
    return to;
  }

 private:
  std::size_t count_;
  Value* data_ = nullptr;
};

__device__ int thread_number() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void enter_cells(Grid grid) {
  if (const int i = thread_number(); i < grid.particles) enter_cell(grid, i);
}
__global__ void sort_cells(Grid grid, int cells) {
  if (const int cell = thread_number(); cell < cells) sort_cell(grid, cell);
}
__global__ void find_all_forces(Grid grid) {
  if (const int i = thread_number(); i < grid.particles) find_force(grid, i);
}
__global__ void kick_and_drift(Grid grid, double dt) {
  const int i = thread_number();
  if (i >= grid.particles) return;
  kick(grid, i, dt / 2);
  drift(grid, i, dt);
}
__global__ void kick_all(Grid grid, double dt) {
  if (const int i = thread_number(); i < grid.particles) kick(grid, i, dt / 2);
}
__global__ void find_nearest(const double* points, const double* centroids, int count, int clusters, int dimensions,
                             int* found) {
  const int i = thread_number();
  if (i < count) found[i] = nearest_centroid(points, centroids, clusters, dimensions, i);
}

// A trap: the driver ends all work of this process on the GPU, and refuses any more.
__global__ void break_down() {
  __trap();
}

constexpr int block = 128;
int blocks(int count) {
  return (count + block - 1) / block;
}

class CudaDevice : public Device {
 public:
  std::string name() const override { return "cuda"; }

  Energies advance(Particles& particles, int steps, double dt) override {
    const int side = cells_of_side(particles.box);
    if (particles.count() == 0) return {};
    for (int capacity = usual_capacity(particles.count(), side);; capacity *= 2) {
      double potential = 0;
      if (try_steps(particles, side, capacity, steps, dt, potential)) return {potential, kinetic_energy(particles)};
    }
  }

  std::vector<int> nearest(const Points& points, const Points& centroids) override {
    if (points.count() == 0) return {};
    const Buffer<double> from(points.values), to(centroids.values);
    const Buffer<int> found(static_cast<std::size_t>(points.count()));
    if (breaks_) break_down<<<1, 1>>>();
    find_nearest<<<blocks(points.count()), block>>>(from.data(), to.data(), points.count(), centroids.count(),
                                                    points.dimensions, found.data());
    check(cudaGetLastError(), "k-means");
    return found.values();
  }

  bool break_in_next_call() override {
    breaks_ = true;
    return true;
  }

 private:
  static void find_forces(const Grid& grid, int cells, Buffer<int>& counts) {
    counts.clear();
    enter_cells<<<blocks(grid.particles), block>>>(grid);
    sort_cells<<<blocks(cells), block>>>(grid, cells);
    find_all_forces<<<blocks(grid.particles), block>>>(grid);
    check(cudaGetLastError(), "forces");
  }

  // False where a cell held too many; then the particles are as they were.
  bool try_steps(Particles& of, int side, int capacity, int steps, double dt, double& potential_energy) const {
    const std::size_t count = of.x.size(), cells = static_cast<std::size_t>(side) * side * side;
    const Buffer<double> x(of.x), y(of.y), z(of.z), vx(of.vx), vy(of.vy), vz(of.vz), fx(count), fy(count), fz(count),
        potential(count);
    Buffer<int> counts(cells), overflow(1);
    const Buffer<int> table(cells * static_cast<std::size_t>(capacity));
    overflow.clear();
    const Grid grid{of.count(), side,      capacity,  of.box,    x.data(),         y.data(),      z.data(),     vx.data(), vy.data(),
                    vz.data(),  fx.data(), fy.data(), fz.data(), potential.data(), counts.data(), table.data(), overflow.data()};
    find_forces(grid, static_cast<int>(cells), counts);
    for (int step = 0; step < steps; ++step) {
      if (breaks_ && step == steps / 2) break_down<<<1, 1>>>();
      kick_and_drift<<<blocks(grid.particles), block>>>(grid, dt);
      find_forces(grid, static_cast<int>(cells), counts);
      kick_all<<<blocks(grid.particles), block>>>(grid, dt);
    }
    if (breaks_ && steps == 0) break_down<<<1, 1>>>();
    check(cudaDeviceSynchronize(), "steps");
    if (overflow.values().front() != 0) return false;
    potential_energy = 0;
    for (const double each : potential.values()) potential_energy += each;
    Particles moved{of.box, x.values(), y.values(), z.values(), vx.values(), vy.values(), vz.values()};
    of = std::move(moved);
    return true;
  }

  bool breaks_ = false;
};

}  // namespace

std::unique_ptr<Device> make_cuda_device() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return nullptr;
  return std::make_unique<CudaDevice>();
}

}  // namespace adaptive
