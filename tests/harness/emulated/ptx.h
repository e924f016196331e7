// An interpreter of the PTX in asm statements, which shares nothing with ptxlitmus: a text and its
// operands come in, each instruction is a step of a thread. What it does not know ends the program.
#ifndef EMULATED_PTX_H
#define EMULATED_PTX_H

namespace emulated {

// An operand of an asm statement: a value, or where one goes.
struct operand {
    uint64_t value = 0;
    unsigned *out32 = nullptr;
    unsigned long long *out64 = nullptr;
};
template <typename T> operand in(T value) {
    operand o;
    o.value = (uint64_t)value; // a number or an address
    return o;
}
inline operand out(unsigned &to) {
    operand o;
    o.out32 = &to;
    return o;
}
inline operand out(unsigned long long &to) {
    operand o;
    o.out64 = &to;
    return o;
}

struct statement {
    std::string guard;               // "%p", "!%p" or ""
    std::vector<std::string> opcode; // by dots
    std::vector<std::string> operands;
    std::string whole;
};

struct text {
    std::vector<statement> statements;
    std::map<std::string, size_t> labels;
};

[[noreturn]] inline void unknown(const std::string &what) {
    fprintf(stderr, "emulation: '%s' is not known here\n", what.c_str());
    _exit(70);
}

inline std::vector<std::string> split(const std::string &line, char mark) {
    std::vector<std::string> parts;
    std::string part;
    int depth = 0;
    for (char c : line) {
        depth += c == '[' || c == '{';
        depth -= c == ']' || c == '}';
        if (c == mark && depth == 0) {
            parts.push_back(part);
            part.clear();
        } else if (c != ' ' && c != '\t') {
            part += c;
        }
    }
    if (!part.empty())
        parts.push_back(part);
    return parts;
}

inline statement read_statement(const std::string &line) {
    statement s;
    s.whole = line;
    size_t at = 0;
    if (line[0] == '@') {
        at = line.find(' ');
        s.guard = line.substr(1, at - 1);
        at = line.find_first_not_of(' ', at);
    }
    size_t end = line.find_first_of(" \t", at);
    end = end == std::string::npos ? line.size() : end;
    s.opcode = split(line.substr(at, end - at), '.');
    s.operands = split(line.substr(end), ',');
    return s;
}

// line = ("//" any | label ":" | "{" | "}" | statement ";")*
inline text read_text(const char *source) {
    text t;
    std::string line;
    bool in_comment = false;
    for (const char *at = source; *at; at++) {
        if (in_comment) {
            in_comment = *at != '\n';
            continue;
        }
        if (at[0] == '/' && at[1] == '/') {
            in_comment = true;
            continue;
        }
        const bool vector = !line.empty() && (*at == '{' || *at == '}');
        if (*at == ':' && at[1] != ':' && at[-1] != ':') {
            t.labels[line] = t.statements.size();
            line.clear();
        } else if (*at == ';') {
            t.statements.push_back(read_statement(line));
            line.clear();
        } else if ((*at == '{' || *at == '}') && !vector) {
            continue;
        } else if (*at == '\n' || *at == '\t') {
            line += line.empty() ? "" : " ";
        } else if (*at != ' ' || !line.empty()) {
            line += *at;
        }
    }
    return t;
}

// A run of a text by one thread.
class run {
  public:
    run(const text &t, std::vector<operand> operands) : text_(t), operands_(std::move(operands)) {
        for (size_t i = 0; i < operands_.size(); i++)
            registers_["%" + std::to_string(i)] = operands_[i].value;
    }
    void go() {
        size_t at = 0;
        while (at < text_.statements.size()) {
            const statement &s = text_.statements[at++];
            if (s.opcode[0].empty())
                continue; // a declaration, such as ".reg": its registers begin as 0
            if (!s.guard.empty() &&
                (s.guard[0] == '!' ? value(s.guard.substr(1)) : !value(s.guard)))
                continue;
            if (s.opcode[0] == "bra") {
                at = text_.labels.at(s.operands[0]);
                step();
            } else {
                execute(s);
            }
        }
        for (size_t i = 0; i < operands_.size(); i++) {
            const uint64_t result = registers_["%" + std::to_string(i)];
            if (operands_[i].out32)
                *operands_[i].out32 = static_cast<unsigned>(result);
            if (operands_[i].out64)
                *operands_[i].out64 = result;
        }
    }

  private:
    const text &text_;
    std::vector<operand> operands_;
    std::map<std::string, uint64_t> registers_;

    uint64_t value(const std::string &word) {
        if (word[0] == '%')
            return registers_[word];
        char *end;
        const uint64_t number = word[0] == '-'
                                    ? static_cast<uint64_t>(strtoll(word.c_str(), &end, 0))
                                    : strtoull(word.c_str(), &end, 0);
        if (*end && *end != 'U')
            unknown(word);
        return number;
    }
    // [%r], [%r+4]
    uint64_t address(const std::string &word) {
        const std::string inner = word.substr(1, word.size() - 2);
        const size_t plus = inner.find('+');
        return value(inner.substr(0, plus)) +
               (plus == std::string::npos ? 0 : value(inner.substr(plus + 1)));
    }
    static unsigned bits_of(const statement &s) {
        const std::string &type = s.opcode.back();
        return type == "pred" ? 1 : static_cast<unsigned>(atoi(type.c_str() + 1));
    }
    static bool is_signed(const statement &s) {
        return s.opcode.back()[0] == 's';
    }
    static uint64_t cut(uint64_t value, unsigned bits) {
        return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1);
    }
    static int64_t number(uint64_t value, unsigned bits) {
        return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
    }
    void set(const std::string &name, uint64_t value) {
        registers_[name] = value;
    }

    // --- Memory

    static bool is_shared(const std::string &space) {
        return space == "shared" || space == "shared::cta" || space == "shared::cluster";
    }
    // The state spaces in an opcode, in their order.
    static std::vector<std::string> spaces(const statement &s) {
        std::vector<std::string> found;
        for (const std::string &part : s.opcode)
            if (part == "global" || is_shared(part))
                found.push_back(part);
        return found;
    }
    // Where an operand is in memory: its address may be one of shared memory.
    uint64_t place(const statement &s, size_t index, size_t space = 0) {
        const std::vector<std::string> all = spaces(s);
        const uint64_t at = address(s.operands.at(index));
        return space < all.size() && is_shared(all[space])
                   ? reinterpret_cast<uint64_t>(shared_at(at))
                   : at;
    }
    mbarrier &barrier_at(const statement &s, size_t index) {
        return gpu().mbarriers[shared_at(address(s.operands.at(index)))];
    }
    static void complete(mbarrier &b) {
        if (b.pending == 0 && b.bytes == 0) {
            b.phase++;
            b.pending = b.count;
        }
    }
    void wait_on(const statement &s) {
        const uint64_t phase = barrier_at(s, 1).phase, word = value(s.operands[2]);
        set(s.operands[0], has(s, "parity") ? (phase & 1) != word : phase != word);
    }
    void arrive_at(const statement &s) {
        mbarrier &b = barrier_at(s, 1);
        const bool expects = has(s, "expect_tx");
        const uint64_t number = s.operands.size() > 2 ? value(s.operands[2]) : 1;
        drain(*gpu().current);
        set(s.operands[0], b.phase);
        b.bytes += expects ? static_cast<int64_t>(number) : 0;
        b.pending -= expects ? 1 : static_cast<int64_t>(number);
        complete(b);
    }
    bool is_mbarrier(const statement &s) {
        if (has(s, "init")) {
            mbarrier &b = barrier_at(s, 0);
            b = mbarrier();
            b.count = b.pending = static_cast<int64_t>(value(s.operands[1]));
        } else if (has(s, "arrive") && !has(s, "noComplete")) {
            arrive_at(s);
        } else if (s.opcode[1] == "expect_tx") {
            barrier_at(s, 0).bytes += static_cast<int64_t>(value(s.operands[1]));
        } else if (has(s, "test_wait") || has(s, "try_wait")) {
            wait_on(s);
        } else {
            return false;
        }
        return true;
    }
    // A copy is complete at once, which it may be.
    void copy(const statement &s, size_t mbarrier_operand) {
        const uint64_t to = place(s, 0, 0), from = place(s, 1, 1);
        const unsigned bytes = static_cast<unsigned>(value(s.operands[2]));
        drain(*gpu().current);
        if (!is_memory(to, bytes) || !is_memory(from, bytes)) {
            gpu().faults = true;
            return;
        }
        memmove(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), bytes);
        if (mbarrier_operand > 0) {
            mbarrier &b = barrier_at(s, mbarrier_operand);
            b.bytes -= bytes;
            complete(b);
        }
    }
    bool is_copy(const statement &s) {
        if (has(s, "commit_group") || has(s, "wait_group") || has(s, "wait_all"))
            return true;
        if (s.opcode[1] != "async" || has(s, "multicast::cluster") || has(s, "tensor") ||
            has(s, "reduce"))
            return false;
        if (has(s, "mbarrier")) {
            mbarrier &b = barrier_at(s, 0);
            b.pending -= has(s, "noinc") ? 1 : 0;
            complete(b);
        } else if (has(s, "bulk")) {
            copy(s, has(s, "mbarrier::complete_tx::bytes") ? 3 : 0);
        } else if (s.operands.size() == 3) {
            copy(s, 0);
        } else {
            return false;
        }
        return true;
    }

    uint64_t load(uint64_t at, unsigned bits) {
        uint64_t result = 0;
        if (!is_memory(at, bits / 8)) {
            gpu().faults = true;
            return 0;
        }
        memcpy(&result, reinterpret_cast<void *>(at), bits / 8);
        for (const store &s :
             gpu().current->delayed) { // its own stores, even before they are there
            if (s.address == at && s.bytes == bits / 8) {
                result = s.value;
            } else if (s.address < at + bits / 8 && at < s.address + s.bytes) {
                drain(*gpu().current);
                return load(at, bits);
            }
        }
        return result;
    }
    void put(const statement &s, uint64_t at, uint64_t what) {
        // they leave in their order, so that a release needs nothing else
        const store now{at, cut(what, bits_of(s)), bits_of(s) / 8};
        if (gpu().delays)
            gpu().current->delayed.push_back(now);
        else
            write_now(now);
    }
    static bool has(const statement &s, const char *word) {
        for (const std::string &part : s.opcode)
            if (part == word)
                return true;
        return false;
    }
    uint64_t combine(const statement &s, uint64_t old, uint64_t a, uint64_t b) {
        const unsigned bits = bits_of(s);
        if (s.opcode.back()[0] == 'f')
            unknown(s.whole);
        const bool less = is_signed(s) ? number(old, bits) < number(a, bits) : old < cut(a, bits);
        if (has(s, "add"))
            return old + a;
        if (has(s, "exch"))
            return a;
        if (has(s, "cas"))
            return old == cut(a, bits) ? b : old;
        if (has(s, "min"))
            return less ? old : a;
        if (has(s, "max"))
            return less ? a : old;
        if (has(s, "and"))
            return old & a;
        if (has(s, "or"))
            return old | a;
        if (has(s, "xor"))
            return old ^ a;
        if (has(s, "inc"))
            return old >= cut(a, bits) ? 0 : old + 1;
        if (has(s, "dec"))
            return old == 0 || old > cut(a, bits) ? a : old - 1;
        unknown(s.whole);
    }
    void update(const statement &s, bool returns) {
        drain(*gpu().current);
        const size_t first = returns ? 1 : 0;
        const uint64_t at = place(s, first);
        const uint64_t old = load(at, bits_of(s));
        const uint64_t b = s.operands.size() > first + 2 ? value(s.operands[first + 2]) : 0;
        put(s, at, combine(s, old, value(s.operands[first + 1]), b));
        drain(*gpu().current);
        if (returns)
            set(s.operands[0], old);
    }
    bool touches_memory(const statement &s) {
        const std::string &op = s.opcode[0];
        if (has(s, "v2") || has(s, "v4") || has(s, "v8"))
            unknown(s.whole);
        if (op == "mbarrier")
            return is_mbarrier(s);
        if (op == "cp")
            return is_copy(s);
        if (op == "st" && s.opcode[1] == "async")
            return false;
        if (op == "ld") {
            const uint64_t loaded = load(place(s, 1), bits_of(s));
            set(s.operands[0],
                is_signed(s) ? static_cast<uint64_t>(number(loaded, bits_of(s))) : loaded);
        } else if (op == "st") {
            put(s, place(s, 0), value(s.operands[1]));
        } else if (op == "atom" || op == "red") {
            update(s, op == "atom");
        } else if (op == "fence" || op == "membar") {
            drain(*gpu().current);
        } else if (op == "barrier" && s.opcode[1] == "cluster") {
            come_to_cluster(s.opcode[2] == "wait");
        } else if ((op == "bar" || op == "barrier") && s.operands.size() > 1) {
            come_to(static_cast<unsigned>(value(s.operands[0])),
                    static_cast<unsigned>(value(s.operands[1])), s.opcode[1] != "arrive");
        } else {
            return false;
        }
        return true;
    }

    // --- Arithmetic

    bool compare(const statement &s) {
        const unsigned bits = bits_of(s);
        const uint64_t a = cut(value(s.operands[1]), bits), b = cut(value(s.operands[2]), bits);
        const bool below = is_signed(s) ? number(a, bits) < number(b, bits) : a < b;
        const std::string &op = s.opcode[1];
        return op == "eq"                 ? a == b
               : op == "ne"               ? a != b
               : op == "lt" || op == "lo" ? below
               : op == "le" || op == "ls" ? below || a == b
               : op == "gt" || op == "hi" ? !below && a != b
               : op == "ge" || op == "hs" ? !below
                                          : (unknown(s.whole), false);
    }
    uint64_t compute(const statement &s) {
        const std::string &op = s.opcode[0];
        if (s.operands.size() < 2 || s.operands[0][0] != '%')
            unknown(s.whole);
        const uint64_t a = value(s.operands[1]);
        const uint64_t b = s.operands.size() > 2 ? value(s.operands[2]) : 0;
        if (op == "mapa" && has(s, "shared::cluster")) {
            const unsigned cta = gpu().current->cta / gpu().cluster * gpu().cluster;
            return window_begin + (cta + b) * window_bytes + (a - window_begin) % window_bytes;
        }
        if (op == "mov" || op == "cvt")
            return a;
        if (op == "add")
            return a + b;
        if (op == "sub")
            return a - b;
        if (op == "mul" && has(s, "lo"))
            return a * b;
        if (op == "and")
            return a & b;
        if (op == "or")
            return a | b;
        if (op == "xor")
            return a ^ b;
        if (op == "not")
            return ~a;
        if (op == "shl")
            return a << b;
        if (op == "selp")
            return value(s.operands[3]) ? a : b;
        unknown(s.whole);
    }
    // setp.cmp{.op}.type p{|q}, a, b{, c}
    void decide(const statement &s) {
        const bool result = compare(s), c = s.operands.size() > 3 && value(s.operands[3]);
        const std::string &op = s.opcode[2];
        const std::vector<std::string> names = split(s.operands[0], '|');
        for (size_t i = 0; i < names.size(); i++) {
            const bool here = i == 0 ? result : !result;
            set(names[i], s.operands.size() <= 3 ? here
                          : op == "and"          ? here && c
                          : op == "or"           ? here || c
                          : op == "xor"          ? here != c
                                                 : (unknown(s.whole), false));
        }
    }
    void execute(const statement &s) {
        if (touches_memory(s)) {
            step();
            return;
        }
        if (s.opcode[0] == "setp") {
            decide(s);
            return;
        }
        const unsigned bits = bits_of(s);
        for (size_t i = 1; bits == 1 && i < s.operands.size(); i++)
            if (s.operands[i][0] != '%' && value(s.operands[i]) > 1)
                unknown(s.whole); // whether that is true
        set(s.operands[0], cut(compute(s), bits));
    }
};

inline void assembly(const char *source, std::vector<operand> operands) {
    static std::map<const char *, text> known;
    auto found = known.find(source);
    if (found == known.end())
        found = known.emplace(source, read_text(source)).first;
    run r(found->second, std::move(operands));
    r.go();
}

} // namespace emulated

#endif
