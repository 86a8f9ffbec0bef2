#include "fallback_device.h"

#include <utility>

namespace adaptive {

namespace {

class FallbackDevice : public Device {
 public:
  FallbackDevice(std::unique_ptr<Device> first, std::unique_ptr<Device> second,
                 std::function<void(const std::string&)> told)
      : first_(std::move(first)), second_(std::move(second)), told_(std::move(told)) {}

  [[nodiscard]] std::string name() const override { return first_ ? first_->name() : second_->name(); }
  Energies advance(Particles& particles, int steps, double dt) override {
    Energies energies;
    either([&](Device& device) { energies = device.advance(particles, steps, dt); });
    return energies;
  }
  [[nodiscard]] std::vector<int> nearest(const Points& points, const Points& centroids) override {
    std::vector<int> found;
    either([&](Device& device) { found = device.nearest(points, centroids); });
    return found;
  }

 private:
  void either(const std::function<void(Device&)>& work) {
    if (first_) {
      try {
        return work(*first_);
      } catch (const DeviceLost& lost) {
        first_.reset();
        told_(lost.what());
      }
    }
    work(*second_);
  }

  std::unique_ptr<Device> first_, second_;
  std::function<void(const std::string&)> told_;
};

class FailingDevice : public Device {
 public:
  FailingDevice(std::unique_ptr<Device> device, int calls) : device_(std::move(device)), left_(calls) {}

  [[nodiscard]] std::string name() const override { return device_->name(); }
  Energies advance(Particles& particles, int steps, double dt) override {
    if (left_-- > 0 || device_->break_in_next_call()) return device_->advance(particles, steps, dt);
    Particles half = particles;  // as a GPU's memory, it is lost with the device
    static_cast<void>(device_->advance(half, steps / 2, dt));
    throw DeviceLost("the device was lost on purpose");
  }
  [[nodiscard]] std::vector<int> nearest(const Points& points, const Points& centroids) override {
    if (left_-- > 0 || device_->break_in_next_call()) return device_->nearest(points, centroids);
    throw DeviceLost("the device was lost on purpose");
  }

 private:
  std::unique_ptr<Device> device_;
  int left_;
};

}  // namespace

std::unique_ptr<Device> make_fallback_device(std::unique_ptr<Device> first, std::unique_ptr<Device> second,
                                             std::function<void(const std::string&)> told) {
  return std::make_unique<FallbackDevice>(std::move(first), std::move(second), std::move(told));
}

std::unique_ptr<Device> make_failing_device(std::unique_ptr<Device> device, int calls) {
  return std::make_unique<FailingDevice>(std::move(device), calls);
}

}  // namespace adaptive
