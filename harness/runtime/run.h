// What runs on the host: draws configurations, launches tests, ends those that hang, and writes the
// log. A program runs the tests of one file, so that a fault of the GPU ends no other tests.
#ifndef PTXLITMUS_RUN_H
#define PTXLITMUS_RUN_H

#include "compare.h"
#include "host.h"
#include "launch.cuh"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace litmus {

using kernel = void (*)(launch);
using host_thread = void (*)(const launch &, uint32_t instance);

enum quantifier { exists, not_exists, forall };

// A test, as the files with tests have it.
struct test {
    const char *name;
    quantifier claims;
    const char *condition;                          // as text
    unsigned ptx;                                   // the version that it needs, 78 for 7.8
    kernel run, control;                            // the control is NULL where the test is its own
    bool (*holds)(const unsigned long long *value); // the condition, of a state
    bool (*counts)(const unsigned long long *value); // the filter
    shape form;
    const char *const *column_names;
    const unsigned *column_bits;
    const bool *column_is_signed;
    const uint32_t *initial; // words of all variables
    unsigned initial_words;
    const shared_word *shared_initial;
    const host_thread *host, *host_control; // threads of the host; they end with NULL
};

// A test that needs a newer version of PTX than the compiler writes.
inline test left_out(const char *name, unsigned ptx) {
    test t = {};
    t.name = name;
    t.ptx = ptx;
    return t;
}

struct settings {
    uint64_t seed = 1;
    double budget = 60; // seconds for all tests of the program
    uint32_t limit = 1u << 14;
    double hang = 20;      // seconds after which a launch is given up
    unsigned tries = 12;   // configurations that are tried on the control
    uint64_t launches = 0; // of each test; 0: as many as the budget allows
    bool resumes = false;
    const char *log = nullptr;
    std::set<std::string> only;
};

// Statuses of the program.
enum status { all_done = 0, bad_usage = 2, gave_up = 3, gpu_fault = 4 };

// --- Random numbers ----------------------------------------------------------------------------

// SplitMix64.
struct random {
    uint64_t state;
    uint64_t next() {
        uint64_t z = state += 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    uint32_t below(uint32_t count) {
        return static_cast<uint32_t>(next() % count);
    }
    template <size_t N> uint32_t one_of(const uint32_t (&items)[N]) {
        return items[below(N)];
    }
};

inline uint64_t hash_of(const char *text) {
    uint64_t hash = 1469598103934665603ull;
    for (; *text; text++)
        hash = (hash ^ static_cast<unsigned char>(*text)) * 1099511628211ull;
    return hash;
}

inline order draw_order(random &draw, uint32_t count) {
    uint32_t factor, a, b;
    do {
        factor = 1 + draw.below(count);
        for (a = factor, b = count; b != 0;) {
            const uint32_t rest = a % b;
            a = b;
            b = rest;
        }
    } while (a != 1);
    return {factor, draw.below(count)};
}

// --- The GPU -----------------------------------------------------------------------------------

[[noreturn]] inline void end_with(status s) {
    fflush(nullptr);
    _exit(s); // without waiting for the GPU
}

inline void expect(cudaError_t error, const char *what, status otherwise = gpu_fault) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
        end_with(otherwise);
    }
}

inline double now() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// How a test is launched: one of the numbered configurations of a seed.
struct configuration {
    uint32_t number;
    uint32_t testing_quarters; // of the clusters that fit
    uint32_t early_stress, stress, pattern, lines, polls, stride_words;
    bool preloads, is_together;
};

inline configuration draw_configuration(uint64_t seed, uint32_t number) {
    random draw{seed ^ (0x5851f42d4c957f2dull * (number + 1))};
    configuration c;
    c.number = number;
    c.testing_quarters = draw.one_of({1, 2, 2, 3, 4});
    c.early_stress = draw.one_of({0, 0, 4, 16, 64});
    c.stress = draw.one_of({0, 32, 128, 512});
    c.pattern = draw.below(4);
    c.lines = draw.one_of({1, 4, 16, 64, 256});
    c.polls = draw.one_of({0, 1024, 1024, 1024});
    c.stride_words = draw.one_of({1, 2, 4, 8, 16, 32, 64});
    c.preloads = draw.below(2) == 1;
    c.is_together = draw.below(2) == 1;
    return c;
}

// What one run of a kernel has shown.
struct seen {
    table states = {};
    uint64_t instances = 0;
    double seconds = 0;
    uint64_t satisfying = 0; // instances whose state satisfies the condition, and
    uint64_t others = 0;     // does not
};

// A test on the GPU.
class machine {
  public:
    machine(const test &t, const settings &s) : t_(t), s_(s) {
        int device = 0;
        expect(cudaGetDevice(&device), "no GPU");
        expect(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device),
               "cudaDeviceGetAttribute");
        threads_ = t.form.parts * t.form.slots;
        shared_ = t.form.shared_bytes * t.form.slots;
        units_ = fitting_units(t.run);
        if (t.control)
            units_ = std::min(units_, fitting_units(t.control));
        largest_cell_ = 0;
        for (unsigned v = 0; v < t.form.variables; v++)
            largest_cell_ = std::max(largest_cell_, t.form.size[v]);
        const size_t instances = units_ / t.form.units * t.form.slots;
        launch_ = {};
        launch_.form = t.form;
        launch_.limit = s.limit;
        launch_.memory =
            array<unsigned char>(instances * std::max(t.form.variables, 1u) * stride_of(64));
        launch_.results = array<unsigned long long>(instances * columns_max);
        launch_.ran_out = array<uint32_t>(instances);
        launch_.arrived = array<uint32_t>(1);
        if (t.host[0]) {
            launch_.turn = array<uint32_t>(1);
            launch_.turn_polls = 1u << 18;
        }
        launch_.scratch = array<uint32_t>(256 * 32);
        launch_.initial = copy(t.initial, t.initial_words);
        launch_.shared_initial = copy(t.shared_initial, t.form.shared_words);
        launch_.seen = array<table>(1);
        expect(cudaEventCreate(&event_), "cudaEventCreate");
    }
    machine(const machine &) = delete;
    machine &operator=(const machine &) = delete;
    ~machine() {
        for (void *memory : on_gpu_)
            cudaFree(memory);
        for (void *memory : on_host_)
            cudaFreeHost(memory);
        cudaEventDestroy(event_);
    }

    uint32_t units() const {
        return units_;
    }

    // Launches a kernel again and again, for so many seconds or launches, and adds up what it
    // shows. False when a launch hangs.
    bool run(kernel k, const configuration &c, random &draw, double seconds, uint64_t launches,
             seen &sum) {
        const double begin = now();
        expect(cudaMemset(launch_.seen, 0, sizeof(table)), "cudaMemset");
        configure(c);
        uint64_t done = 0;
        do {
            for (unsigned i = 0; i < batch && (launches == 0 || done < launches); i++, done++)
                if (!launch_once(k, draw))
                    return false;
            if (!wait())
                return false;
        } while (launches == 0 ? now() - begin < seconds : done < launches);
        add(sum, done * launch_.instances, now() - begin);
        return true;
    }

  private:
    static constexpr unsigned batch = 8;             // launches between two looks at the clock
    static constexpr unsigned host_instances = 2048; // which the host goes through one by one

    const test &t_;
    const settings &s_;
    launch launch_;
    cudaEvent_t event_;
    int processors_ = 0;
    uint32_t units_ = 0; // clusters that are on the GPU at once
    unsigned threads_ = 0, shared_ = 0, largest_cell_ = 0;

    std::vector<void *> on_gpu_, on_host_;

    // Memory of the GPU; or of the host, which both of them reach, where its threads take part.
    template <typename T> T *array(size_t count) {
        void *memory = nullptr;
        const size_t bytes = std::max<size_t>(count, 1) * sizeof(T);
        if (t_.host[0]) {
            expect(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable),
                   "no memory that host and GPU share");
            memset(memory, 0, bytes);
            on_host_.push_back(memory);
        } else {
            expect(cudaMalloc(&memory, bytes), "no memory on the GPU");
            expect(cudaMemset(memory, 0, bytes), "cudaMemset");
            on_gpu_.push_back(memory);
        }
        return static_cast<T *>(memory);
    }

    template <typename T> T *copy(const T *items, size_t count) {
        T *to = array<T>(count);
        if (count > 0)
            expect(cudaMemcpy(to, items, count * sizeof(T), cudaMemcpyDefault), "cudaMemcpy");
        return to;
    }

    cudaLaunchConfig_t config_of(uint32_t ctas, unsigned threads, unsigned shared_bytes,
                                 cudaLaunchAttribute *attribute, unsigned cluster) const {
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(ctas);
        config.blockDim = dim3(threads);
        config.dynamicSmemBytes = shared_bytes;
        if (cluster > 1) {
            attribute->id = cudaLaunchAttributeClusterDimension;
            attribute->val.clusterDim.x = cluster;
            attribute->val.clusterDim.y = attribute->val.clusterDim.z = 1;
            config.attrs = attribute;
            config.numAttrs = 1;
        }
        return config;
    }

    // More CTAs than are on the GPU at once would wait for each other for ever.
    uint32_t fitting_units(kernel k) const {
        int fitting = 0;
        cudaLaunchAttribute attribute;
        const unsigned cluster = t_.form.cluster;
        const void *function = reinterpret_cast<const void *>(k);
        if (cluster > 1) {
            const cudaLaunchConfig_t config =
                config_of(cluster, threads_, shared_, &attribute, cluster);
            expect(cudaOccupancyMaxActiveClusters(&fitting, function, &config),
                   "cudaOccupancyMaxActiveClusters");
        } else {
            expect(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                       &fitting, function, static_cast<int>(threads_), shared_),
                   "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
            fitting *= processors_;
        }
        if (static_cast<uint32_t>(fitting) < t_.form.units) {
            fprintf(stderr,
                    "%s: this GPU runs %d clusters of %u CTAs at once, and the test needs %u\n",
                    t_.name, fitting, cluster, t_.form.units);
            return 0;
        }
        return static_cast<uint32_t>(fitting);
    }

    size_t stride_of(uint32_t words) const {
        const size_t wanted = std::max<size_t>(words * 4, largest_cell_);
        return (wanted + t_.form.alignment - 1) / t_.form.alignment * t_.form.alignment;
    }

    void configure(const configuration &c) {
        uint32_t teams = std::max(1u, units_ * c.testing_quarters / 4 / t_.form.units);
        if (t_.host[0])
            teams = std::min(teams, std::max(1u, host_instances / t_.form.slots));
        launch_.units = units_;
        launch_.testing = teams * t_.form.units;
        launch_.instances = teams * t_.form.slots;
        launch_.stride = static_cast<uint32_t>(stride_of(c.stride_words));
        launch_.is_together = c.is_together;
        launch_.polls = c.polls;
        launch_.preloads = c.preloads;
        launch_.early_stress = c.early_stress;
        launch_.stress = c.stress;
        launch_.pattern = c.pattern;
        launch_.lines = c.lines;
    }

    void start(kernel k, uint32_t ctas, unsigned threads, unsigned shared_bytes, unsigned cluster) {
        cudaLaunchAttribute attribute;
        void *arguments[] = {&launch_};
        const cudaLaunchConfig_t config =
            config_of(ctas, threads, shared_bytes, &attribute, cluster);
        expect(cudaLaunchKernelExC(&config, reinterpret_cast<const void *>(k), arguments), t_.name);
    }

    // False when a launch hangs.
    bool launch_once(kernel k, random &draw) {
        constexpr unsigned many = 128;
        const uint32_t blocks = (launch_.instances + many - 1) / many;
        launch_.unit_order = draw_order(draw, units_);
        launch_.slot_order = draw_order(draw, t_.form.slots);
        for (order &o : launch_.cell_order)
            o = draw_order(draw, launch_.instances);
        if (t_.host[0])
            launch_.unit_order = launch_.slot_order = {1, 0}; // the host goes through them in order
        start(reset, blocks, many, 0, 1);
        if (t_.host[0] && !wait())
            return false;
        start(k, units_ * t_.form.cluster, threads_, shared_, t_.form.cluster);
        if (t_.host[0]) {
            play_host(k == t_.run ? t_.host : t_.host_control, draw);
            if (!wait())
                return false;
        }
        start(check, blocks, many, 0, 1);
        return true;
    }

    // The threads of the host go through the instances in batches. The first of them says when a
    // batch begins; how long it then waits is drawn, since the way to the GPU takes time.
    void play_host(const host_thread *threads, random &draw) {
        const uint32_t batches = launch_.instances / warp_size;
        const uint32_t warps = launch_.testing * t_.form.cluster * threads_ / warp_size;
        std::atomic<uint32_t> begun{0}, ended{0};
        const double begin = now();
        *launch_.turn = 0;
        while (*launch_.arrived < warps && now() - begin < s_.hang)
            std::this_thread::yield();
        std::vector<std::thread> others;
        uint32_t count = 0;
        for (const host_thread *thread = threads + 1; *thread; thread++, count++) {
            others.emplace_back([this, thread, batches, &begun, &ended] {
                for (uint32_t b = 0; b < batches; b++) {
                    while (begun <= b)
                        std::this_thread::yield();
                    play_batch(*thread, b);
                    ended++;
                }
            });
        }
        for (uint32_t b = 0; b < batches; b++) {
            *launch_.turn = b + 1;
            begun = b + 1;
            for (volatile uint32_t pause = draw.below(512); pause > 0; pause = pause - 1) {
            }
            play_batch(threads[0], b);
            while (ended < (b + 1) * count)
                std::this_thread::yield();
        }
        for (std::thread &other : others)
            other.join();
    }

    void play_batch(host_thread thread, uint32_t batch_number) const {
        for (uint32_t i = 0; i < warp_size; i++)
            thread(launch_, batch_number * warp_size + i);
    }

    // False when the GPU does not end what was launched.
    bool wait() {
        const double begin = now();
        expect(cudaEventRecord(event_, nullptr), "cudaEventRecord");
        for (;;) {
            const cudaError_t state = cudaEventQuery(event_);
            if (state == cudaSuccess)
                return true;
            if (state != cudaErrorNotReady)
                expect(state, t_.name);
            if (now() - begin > s_.hang)
                return false;
            std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
    }

    void add(seen &sum, uint64_t instances, double seconds) {
        table found;
        expect(cudaMemcpy(&found, launch_.seen, sizeof found, cudaMemcpyDefault), "cudaMemcpy");
        sum.instances += instances;
        sum.seconds += seconds;
        sum.states.ran_out += found.ran_out;
        sum.states.lost += found.lost;
        for (unsigned i = 0; i < states_max; i++)
            if (found.key[i] != 0 && t_.counts(found.value[i]))
                add_state(sum, found, i);
    }

    void add_state(seen &sum, const table &found, unsigned i) {
        (t_.holds(found.value[i]) ? sum.satisfying : sum.others) += found.count[i];
        for (unsigned at = 0; at < states_max; at++) {
            unsigned long long &key = sum.states.key[at];
            if (key != 0 && key != found.key[i])
                continue;
            key = found.key[i];
            sum.states.count[at] += found.count[i];
            memcpy(sum.states.value[at], found.value[i], sizeof found.value[i]);
            return;
        }
        sum.states.lost += found.count[i];
    }
};

// --- Logs --------------------------------------------------------------------------------------

inline std::string text(const char *format, ...) __attribute__((format(printf, 1, 2)));
inline std::string text(const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return line;
}

// A value, extended by its sign where it has one.
inline std::string value_text(const test &t, unsigned column, unsigned long long value) {
    const unsigned bits = t.column_bits[column];
    if (!t.column_is_signed[column])
        return text("%llu", value);
    const unsigned unused = 64 - bits;
    return text("%lld", static_cast<long long>(value << unused) >> unused);
}

inline std::string histogram(const test &t, const seen &s) {
    std::vector<unsigned> shown;
    for (unsigned i = 0; i < states_max; i++)
        if (s.states.key[i] != 0)
            shown.push_back(i);
    std::sort(shown.begin(), shown.end(), [&](unsigned a, unsigned b) {
        return std::lexicographical_compare(s.states.value[a], s.states.value[a] + t.form.columns,
                                            s.states.value[b], s.states.value[b] + t.form.columns);
    });
    std::string lines = text("Histogram (%zu states)\n", shown.size());
    for (unsigned i : shown) {
        lines += text("%-8llu%c>", s.states.count[i], t.holds(s.states.value[i]) ? '*' : ':');
        for (unsigned k = 0; k < t.form.columns; k++) {
            lines += k > 0 ? " " : "";
            lines += t.column_names[k];
            lines += "=" + value_text(t, k, s.states.value[i][k]) + ";";
        }
        lines += "\n";
    }
    return lines;
}

// As litmus7 writes it, and a line "Effort" with what is needed to run it again.
inline std::string log_of(const test &t, const settings &s, const seen &s_test, uint64_t control,
                          const configuration &c, const std::string &device) {
    const bool some = s_test.satisfying > 0, all = s_test.others == 0;
    const bool ok = t.claims == exists ? some : t.claims == not_exists ? !some : all;
    const uint64_t positive = t.claims == not_exists ? s_test.others : s_test.satisfying;
    const uint64_t negative = t.claims == not_exists ? s_test.satisfying : s_test.others;
    static const char *const kinds[] = {"Allowed", "Forbidden", "Required"};
    std::string lines = text("Test %s %s\n", t.name, kinds[t.claims]) + histogram(t, s_test);
    lines += ok ? "Ok\n\n" : "No\n\n";
    lines += text("Witnesses\nPositive: %" PRIu64 ", Negative: %" PRIu64 "\nCondition ", positive,
                  negative);
    lines += t.condition;
    lines += ok ? " is validated\n" : " is NOT validated\n";
    lines += text("Observation %s %s %" PRIu64 " %" PRIu64 "\n", t.name,
                  !some ? "Never"
                  : all ? "Always"
                        : "Sometimes",
                  s_test.satisfying, s_test.others);
    if (s_test.states.ran_out > 0)
        lines += text("Waiting %s %llu\n", t.name, s_test.states.ran_out);
    lines +=
        text("Effort %s instances=%" PRIu64 " seconds=%.2f control=%" PRIu64 " seed=%" PRIu64
             " configuration=%u %s\n\n",
             t.name, s_test.instances, s_test.seconds, control, s.seed, c.number, device.c_str());
    return lines;
}

class log_file {
  public:
    explicit log_file(const settings &s) {
        if (s.resumes && s.log)
            read(s.log);
        file_ = s.log ? fopen(s.log, s.resumes ? "a" : "w") : stdout;
        if (!file_) {
            perror(s.log);
            end_with(bad_usage);
        }
        for (const std::string &name : begun_)
            if (finished_.insert(name).second) // it ended the program before this one
                add(text("Interrupted %s\n\n", name.c_str()));
    }
    bool has(const char *name) const {
        return finished_.count(name) > 0;
    }
    void add(const std::string &lines) {
        if (fputs(lines.c_str(), file_) < 0 || fflush(file_) != 0) {
            perror("the log cannot be written");
            end_with(bad_usage);
        }
    }

  private:
    FILE *file_;
    std::set<std::string> begun_, finished_;

    void read(const char *path) {
        FILE *before = fopen(path, "r");
        char line[4096], name[4096];
        while (before && fgets(line, sizeof line, before))
            if (sscanf(line, "Begin %4095s", name) == 1)
                begun_.insert(name);
            else if (sscanf(line, "Effort %4095s", name) == 1 ||
                     sscanf(line, "Interrupted %4095s", name) == 1 ||
                     sscanf(line, "Hang %4095s", name) == 1 ||
                     sscanf(line, "Skipped %4095s", name) == 1)
                finished_.insert(name);
        if (before)
            fclose(before);
    }
};

// --- Tests -------------------------------------------------------------------------------------

// "gpu=NVIDIA-H200 driver=13.0 runtime=13.0"
inline std::string device_text() {
    int device = 0, driver = 0, runtime = 0;
    cudaDeviceProp properties;
    expect(cudaGetDevice(&device), "no GPU", bad_usage);
    expect(cudaGetDeviceProperties(&properties, device), "no GPU", bad_usage);
    expect(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    expect(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    std::string name = properties.name;
    std::replace(name.begin(), name.end(), ' ', '-');
    return "gpu=" + name +
           text(" sm=%d%d driver=%d.%d runtime=%d.%d", properties.major, properties.minor,
                driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
}

// Runs a test: first each configuration for a moment on the control, then the test with the one
// that showed most; or, where none showed anything, with each of them in turn. False when it hangs.
inline bool run_test(machine &m, const test &t, const settings &s, double seconds,
                     const std::string &device, log_file &log) {
    if (m.units() == 0) {
        log.add(text("Skipped %s: it needs more CTAs at once\n\n", t.name));
        return true;
    }
    const kernel control_kernel = t.control ? t.control : t.run;
    const uint64_t seed = s.seed ^ hash_of(t.name);
    random draw{seed};
    std::vector<configuration> all;
    size_t best = 0;
    uint64_t control = 0, most = 0;
    seen sum;
    for (uint32_t i = 0; i < s.tries; i++) {
        seen shown;
        all.push_back(draw_configuration(seed, i));
        const double part = seconds / (t.control ? 3 : 4) / s.tries;
        if (!m.run(control_kernel, all[i], draw, part, s.launches, shown))
            return false;
        control += shown.satisfying;
        const double rate = shown.seconds > 0 ? 1e6 * shown.satisfying / shown.seconds : 0;
        if (rate > most) {
            most = static_cast<uint64_t>(rate);
            best = i;
        }
    }
    const double rest = seconds * (t.control ? 2.0 / 3 : 3.0 / 4);
    const size_t turns = most > 0 ? 1 : all.size();
    for (size_t i = 0; i < turns; i++)
        if (!m.run(t.run, all[most > 0 ? best : i], draw, rest / turns, s.launches, sum))
            return false;
    control = t.control ? control : control + sum.satisfying;
    if (sum.states.lost > 0)
        log.add(text("Lost %s: %llu states had no room\n", t.name, sum.states.lost));
    log.add(log_of(t, s, sum, control, all[best], device));
    return true;
}

inline const char *argument(int argc, char **argv, int &at) {
    if (at + 1 >= argc) {
        fprintf(stderr, "%s needs an argument\n", argv[at]);
        end_with(bad_usage);
    }
    return argv[++at];
}

inline double number(const char *option, const char *words, double least) {
    char *end;
    const double value = strtod(words, &end);
    if (*end || end == words || !(value >= least)) {
        fprintf(stderr, "%s takes a number of at least %g, not '%s'\n", option, least, words);
        end_with(bad_usage);
    }
    return value;
}

inline settings read_arguments(int argc, char **argv) {
    settings s;
    for (int i = 1; i < argc; i++) {
        const std::string option = argv[i];
        const auto value = [&](double least) {
            return number(option.c_str(), argument(argc, argv, i), least);
        };
        if (option == "--seed") {
            s.seed = static_cast<uint64_t>(value(0));
        } else if (option == "--budget") {
            s.budget = value(0);
        } else if (option == "--limit") {
            s.limit = static_cast<uint32_t>(value(1));
        } else if (option == "--hang") {
            s.hang = value(0.1);
        } else if (option == "--tries") {
            s.tries = static_cast<unsigned>(value(1));
        } else if (option == "--launches") {
            s.launches = static_cast<uint64_t>(value(1));
        } else if (option == "--resume") {
            s.resumes = true;
        } else if (option == "--log") {
            s.log = argument(argc, argv, i);
        } else if (option == "--only") {
            s.only.insert(argument(argc, argv, i));
        } else {
            fprintf(stderr,
                    "'%s' is not an option: --seed N, --budget SECONDS, --limit ROUNDS, --hang "
                    "SECONDS, --tries N, --launches N, --resume, --log FILE, --only TEST\n",
                    argv[i]);
            end_with(bad_usage);
        }
    }
    return s;
}

// Runs the tests; `ptx` is the version of PTX that the compiler writes, 90 for 9.0.
inline int run(const test *tests, size_t count, unsigned ptx, int argc, char **argv) {
    const settings s = read_arguments(argc, argv);
    const std::string device = device_text();
    log_file log(s);
    std::vector<const test *> chosen;
    for (size_t i = 0; i < count; i++)
        if ((s.only.empty() || s.only.count(tests[i].name)) && !log.has(tests[i].name))
            chosen.push_back(&tests[i]);
    const double begin = now();
    for (size_t i = 0; i < chosen.size(); i++) {
        const test &t = *chosen[i];
        if (t.ptx > ptx) {
            log.add(text("Skipped %s: it needs PTX %u.%u\n\n", t.name, t.ptx / 10, t.ptx % 10));
            continue;
        }
        const double left = s.budget - (now() - begin);
        if (left <= 0 && s.launches == 0) {
            fprintf(stderr, "the budget is spent: %zu tests are left for --resume\n",
                    chosen.size() - i);
            return gave_up;
        }
        log.add(text("Begin %s\n", t.name));
        // not destroyed after a hang: to free its memory is to wait for the GPU
        std::unique_ptr<machine> m(new machine(t, s));
        if (!run_test(*m, t, s, left / static_cast<double>(chosen.size() - i), device, log)) {
            log.add(text("Hang %s\n\n", t.name));
            fprintf(stderr, "%s does not end: --resume goes on with the next test\n", t.name);
            end_with(gave_up);
        }
    }
    return all_done;
}

} // namespace litmus

#endif
