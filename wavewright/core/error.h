// An error says what went wrong, where, and what to do about it. The command prints it as one line.
//
// The library throws subclasses of Error and never prints or exits. Each subclass is one exit status of
// the command (docs/formats/contract.md).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace wavewright {

enum class ExitStatus {
  done = 0,
  no = 1,         // the answer is no: no slots meet the deadline, the plan is infeasible
  usage = 2,      // wrong flags, methods, policies
  bad_input = 3,  // a file that cannot be used
  outside = 4,    // store, cluster, network, file system
  defect = 5,     // a bug of ours
  interrupted = 130
};

// A position in the input: `file`, `file:line` or `file@offset`.
struct Position {
  std::string source;
  std::int64_t line = 0;     // from 1; 0 = unknown
  std::int64_t offset = -1;  // bytes from the start; -1 = unknown

  [[nodiscard]] std::string text() const;
};

class Error : public std::runtime_error {
 public:
  // `remedy` says what to do; it may be empty where `what` makes it plain.
  Error(ExitStatus status, const Position& where, const std::string& what, const std::string& remedy);

  [[nodiscard]] ExitStatus status() const { return status_; }
  [[nodiscard]] const Position& where() const { return where_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] const std::string& remedy() const { return remedy_; }

 private:
  ExitStatus status_;
  Position where_;
  std::string problem_;
  std::string remedy_;
};

class Infeasible : public Error {
 public:
  explicit Infeasible(const std::string& what, const std::string& remedy = {})
      : Error(ExitStatus::no, {}, what, remedy) {}
};

class UsageError : public Error {
 public:
  explicit UsageError(const std::string& what, const std::string& remedy = {})
      : Error(ExitStatus::usage, {}, what, remedy) {}
};

class InputError : public Error {
 public:
  InputError(const Position& where, const std::string& what, const std::string& remedy = {})
      : Error(ExitStatus::bad_input, where, what, remedy) {}
};

class ExternalError : public Error {
 public:
  ExternalError(const Position& where, const std::string& what, const std::string& remedy = {})
      : Error(ExitStatus::outside, where, what, remedy) {}
};

class InternalError : public Error {
 public:
  explicit InternalError(const std::string& what)
      : Error(ExitStatus::defect, {}, what, "please report this with the input that caused it") {}
};

}  // namespace wavewright
