#!/usr/bin/env perl
# What has nothing to do with a test must not change what it allows: adds to random tests a thread, an exchange, a
# barrier, an mbarrier, a copy, a lock, a flag, a loop or a variable of their own, renames and reorders what they have, and
# multiplies them with another test, and compares verdict, flags and states.
#
#   tests/metamorphic/unrelated.pl [OPTION...] BUILD
#
#   --count N      tests of each kind (default 20)
#   --seed S       of the tests and of the changes (default 1)
#   --kinds K,...  of ptxlitmus-generate (default: all of them)
#   --changes N    of each test, drawn at random (default 2)
#   --only NAME    one change alone, of those below
#   --timeout S    processor seconds for a test; what takes longer is undecided (default 20)
#   --keep DIR     leave the tests there
#
# Prints what was compared, how much of it was undecided, and each difference. Status: 0 when there is none.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Getopt::Long;
use JSON::PP;

my @all = qw(mixed shapes free proxies branches sizes barriers restricted floats values sections mbarriers async warps grids
  multimem tensor later products);
my %option = (count => 20, seed => 1, kinds => join(',', @all), changes => 2, timeout => 20);
GetOptions(\%option, 'count=i', 'seed=i', 'kinds=s', 'changes=i', 'only=s', 'timeout=i', 'keep=s') && @ARGV == 1
  or die "usage: unrelated.pl [OPTION...] BUILD\n";
my ($build) = @ARGV;
my $work = $option{keep} // tempdir(CLEANUP => 1);
my $json = JSON::PP->new->canonical;
mkdir $work;

# --- Tests ------------------------------------------------------------------------------------------

sub slurp {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$file>;
}

# A generated test as a hash: name, version, declarations, threads (place, lines), and the end, from 'locations' on.
sub parse {
    my ($text) = @_;
    my %test;
    $text =~ s/\APTX (\S+)\n// or die "no name: $text";
    $test{name} = $1;
    $test{version} = $1 if $text =~ s/\A(\.version \S+)\n//;
    $text =~ s/^(locations \[.*)\z//ms or die "no locations: $text";
    $test{end} = $1;
    if ($text =~ s/\A\{\n(.*?)^\}\n//ms) {
        $test{declarations} = [map { s/^\s+|\s+$//gr } split /\n/, $1];
        my @rows = map { [map { s/^\s+|\s+$//gr } split /\|/, s/;\s*$//r] } split /\n/, $text;
        my $places = shift @rows;
        for my $t (0 .. $#$places) {
            push @{$test{threads}}, {place => $places->[$t] =~ s/^P\d+//r, lines => [grep { length } map { $_->[$t] // '' } @rows]};
        }
        return \%test;
    }
    while ($text =~ s/^P\d+(\S.*?) \{\n(.*?)^\}\n//ms) {
        push @{$test{threads}}, {place => $1, lines => [map { s/^\s+|;\s*$//gr } split /\n/, $2]};
    }
    $test{declarations} = [grep { length } map { s/^\s+|\s+$//gr } split /\n/, $text];
    return \%test;
}

sub text_of {
    my ($test) = @_;
    my $text = "PTX $test->{name}\n" . ($test->{version} ? "$test->{version}\n" : '');
    $text .= "$_\n" for @{$test->{declarations}};
    my $n = 0;
    for my $thread (@{$test->{threads}}) {
        $text .= "P$n$thread->{place} {\n" . join('', map { "  $_;\n" } @{$thread->{lines}}) . "}\n";
        $n++;
    }
    return $text . $test->{end};
}

sub copy {
    my ($test) = @_;
    return decode_json(encode_json($test));
}

# --- Changes ----------------------------------------------------------------------------------------
# Each changes a copy of a test, and returns the names of the values that it shows now, by those before, where they are
# others; nothing where it does not apply.

# The names of the variables.
sub names_of {
    my ($test) = @_;
    return map { /^grid/ ? () : /(\w+)(?:\[\d*\])?(?: [=@].*)?;$/ ? $1 : die "no name in '$_'\n" } @{$test->{declarations}};
}

# Gives each statement of a test, as $_, to a function that may change it.
sub each_line {
    my ($test, $change) = @_;
    for my $thread (@{$test->{threads}}) { $change->() for @{$thread->{lines}} }
}

sub draw { return $_[int rand @_] }

# Where the CTA of a thread is.
sub cta_of {
    my ($place) = @_;
    return join ' ', sort grep { !/^@?$/ } split /[@,]\s*/, $place;
}

# A CTA of its own, on a GPU of the test or on another one.
sub new_place {
    my ($test, $cta) = @_;
    my $place = $test->{threads}[0]{place};
    return "\@grid 0,cta $cta" if $place =~ /grid/;
    return "\@cta $cta,gpu " . ($place =~ /gpu (\d+)/ ? draw($1, 7) : 0);
}

sub add_thread {
    my ($test, $place, @lines) = @_;
    push @{$test->{threads}}, {place => $place, lines => \@lines};
}

# The mask of a thread alone: threads of a CTA are numbered in the order of the test.
sub own_mask {
    my ($test, $thread) = @_;
    my $number = 0;
    my $cta = cta_of($test->{threads}[$thread]{place});
    for my $t (0 .. $thread - 1) { $number++ if cta_of($test->{threads}[$t]{place}) eq $cta }
    return 1 << $number % 32;
}

sub exchange_lines {
    my ($mask) = @_;
    my $lane = 0;
    $lane++ while $mask >> $lane != 1;
    return draw(
        ['mov.b32 %uz0, 5', "redux.sync.and.b32 %uz1, %uz0, $mask"],
        ['mov.b32 %uz0, 5', "shfl.sync.idx.b32 %uz1, %uz0, $lane, 31, $mask"],
        ['mov.b32 %uz0, 5', 'setp.eq.u32 %uzp, %uz0, 5', "vote.sync.ballot.b32 %uz1, %uzp, $mask"],
        ['mov.b32 %uz0, 5', "match.any.sync.b32 %uz1, %uz0, $mask"],
        ["mov.b32 %uz0, $mask", 'elect.sync %uz1|%uzp, %uz0'],
        ["bar.warp.sync $mask"]);
}

my %changes = (
    thread => sub {
        my ($test) = @_;
        push @{$test->{declarations}}, '.global .b64 uu;';
        add_thread($test, new_place($test, 97), 'st.relaxed.gpu.global.b64 [uu], 1', 'ld.relaxed.gpu.global.b64 %uzd0, [uu]');
        return {};
    },
    bytes => sub {
        my ($test) = @_;
        push @{$test->{declarations}}, '.shared .align 2 .b8 uu[4];';
        add_thread($test, new_place($test, 97), 'mov.b64 %uzd0, uu', 'st.shared.b8 [%uzd0+1], 1', 'ld.shared.b16 %uz0, [%uzd0]');
        return {};
    },
    exchange => sub {
        my ($test) = @_;
        add_thread($test, new_place($test, 97), @{exchange_lines(1)});
        return {};
    },
    own_exchange => sub {
        my ($test) = @_;
        my $thread = int rand @{$test->{threads}};
        unshift @{$test->{threads}[$thread]{lines}}, @{exchange_lines(own_mask($test, $thread))};
        return {};
    },
    # Not at the beginning, but where the thread may have read, or after all that it does.
    late_exchange => sub {
        my ($test) = @_;
        my $thread = int rand @{$test->{threads}};
        my $lines = $test->{threads}[$thread]{lines};
        # Where no branch goes over it, as a thread that is not there would wait for no lane but itself all the same.
        my ($first) = grep { $lines->[$_] =~ /\bbra\b|\bexit\b|\bret\b|brx|^\w+:/ } 0 .. $#$lines;
        splice @$lines, draw(0 .. $first // @$lines), 0, @{exchange_lines(own_mask($test, $thread))};
        return {};
    },
    # Two lanes that exchange what they read, and elect one of them.
    lanes => sub {
        my ($test) = @_;
        push @{$test->{declarations}}, '.global .b32 uu;';
        my $place = new_place($test, 97);
        my @exchange = draw(
            ['redux.sync.add.u32 %uz1, %uz0, 3'],
            ['shfl.sync.bfly.b32 %uz1, %uz0, 1, 31, 3'],
            ['setp.eq.u32 %uzp, %uz0, 0', 'vote.sync.any.pred %uzq, %uzp, 3'],
            ['match.any.sync.b32 %uz1, %uz0, 3'],
            ['elect.sync %uz1|%uzp, 3', '@%uzp st.relaxed.gpu.global.b32 [uu], 2']);
        add_thread($test, $place, 'ld.relaxed.gpu.global.b32 %uz0, [uu]', @{$exchange[0]});
        add_thread($test, $place, 'st.relaxed.gpu.global.b32 [uu], 1', 'mov.b32 %uz0, 4', @{$exchange[0]});
        return {};
    },
    # A flag that is waited for.
    flag => sub {
        my ($test) = @_;
        push @{$test->{declarations}}, '.global .b32 uu;', '.global .b32 uf;';
        add_thread($test, new_place($test, 97), 'st.weak.global.b32 [uu], 1', 'st.release.sys.global.b32 [uf], 1');
        add_thread($test, new_place($test, 98), 'UL: ld.acquire.sys.global.b32 %uz0, [uf]', 'setp.eq.u32 %uzp, %uz0, 0',
            '@%uzp bra UL', 'ld.weak.global.b32 %uz1, [uu]');
        return {};
    },
    # A lock that is taken and given back.
    lock => sub {
        my ($test) = @_;
        push @{$test->{declarations}}, '.global .b32 uu;';
        add_thread($test, new_place($test, 97), 'UL: atom.acquire.gpu.global.cas.b32 %uz0, [uu], 0, 1', 'setp.ne.u32 %uzp, %uz0, 0',
            '@%uzp bra UL', 'atom.release.gpu.global.exch.b32 %uz1, [uu], 0');
        return {};
    },
    # A loop that counts what it reads.
    loop => sub {
        my ($test) = @_;
        push @{$test->{declarations}}, '.shared .b32 uu[3];';
        add_thread($test, new_place($test, 97), 'mov.b64 %uzd0, uu', 'mov.b32 %uz0, 0', 'UL: ld.shared.b32 %uz1, [%uzd0]',
            'add.u64 %uzd0, %uzd0, 4', 'add.u32 %uz0, %uz0, 1', 'setp.lt.u32 %uzp, %uz0, 3', '@%uzp bra UL');
        return {};
    },
    # What only one thread comes to: a barrier with a number, reductions, fences of proxies, a group without a copy.
    alone => sub {
        my ($test) = @_;
        push @{$test->{declarations}}, '.shared .align 16 .b64 uu[2];', '.global .align 16 .b64 ug[2];';
        my $lines = draw(
            ['mov.b32 %uz0, 1', 'setp.eq.u32 %uzp, %uz0, 1', 'barrier.red.popc.u32 %uz1, 3, %uzp'],
            ['st.weak.shared.b64 [uu], 1', 'fence.proxy.async.shared::cta',
                'cp.async.bulk.global.shared::cta.bulk_group [ug], [uu], 16', 'cp.async.bulk.commit_group', 'cp.async.bulk.wait_group 0'],
            ['cp.async.wait_all', 'membar.gl', 'activemask.b32 %uz0'],
            ['isspacep.shared %uzp, 0', 'prefetch.global.L2 [ug]', 'mov.u64 %uzd0, %clock64'],
            ['fence.proxy.alias', 'red.relaxed.gpu.global.add.u64 [ug], 1', 'nanosleep.u32 20'],
            ['ld.global.nc.b64 %uzd0, [ug]', 'ld.volatile.global.b64 %uzd1, [ug+8]']);
        add_thread($test, new_place($test, 97), @$lines);
        return {};
    },
    # What nothing depends on: a dead value of what is read, an instruction that is never executed.
    dead => sub {
        my ($test) = @_;
        my $thread = draw(@{$test->{threads}});
        unshift @{$thread->{lines}}, @{draw(
            ['mov.b32 %uz0, 0', 'setp.ne.u32 %uzp, %uz0, 0', '@%uzp trap'],
            ['mov.u32 %uz0, 3', 'popc.b32 %uz0, %uz0', 'xor.b32 %uz0, %uz0, %uz0'],
            ['bra UD', 'UD: mov.u32 %uz0, 3'])};
        return {};
    },
    barrier => sub {
        my ($test) = @_;
        my $place = new_place($test, 97);
        push @{$test->{declarations}}, '.shared .b64 uu;';
        add_thread($test, $place, 'st.shared.b64 [uu], 1', 'bar.sync 0');
        add_thread($test, $place, 'bar.sync 0', 'ld.shared.b64 %uzd0, [uu]');
        return {};
    },
    mbarrier => sub {
        my ($test) = @_;
        push @{$test->{declarations}}, 'mbarrier um = 1;';
        add_thread($test, new_place($test, 97), 'mbarrier.arrive.shared.b64 %uzd0, [um]',
            'mbarrier.test_wait.shared.b64 %uzp, [um], %uzd0');
        return {};
    },
    copy => sub {
        my ($test) = @_;
        push @{$test->{declarations}}, '.global .align 16 .b64 ug[2] = {1, 2};', '.shared .align 16 .b64 us[2];';
        add_thread($test, new_place($test, 97), 'cp.async.cg.shared.global [us], [ug], 16', 'cp.async.wait_all',
            'ld.shared.b64 %uzd0, [us]');
        return {};
    },
    bulk => sub {
        my ($test) = @_;
        push @{$test->{declarations}}, '.global .align 16 .b64 ug[2] = {1, 2};', '.shared .align 16 .b64 us[2];', 'mbarrier um = 1;';
        add_thread($test, new_place($test, 97), 'mbarrier.arrive.expect_tx.shared.b64 %uzd0, [um], 16',
            'cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [us], [ug], 16, [um]',
            'UL: mbarrier.try_wait.shared.b64 %uzp, [um], %uzd0', '@!%uzp bra UL', 'ld.shared.b64 %uzd1, [us]');
        return {};
    },
    variable => sub {
        my ($test) = @_;
        my $variable = draw('.global .b64 uu = 3;', '.shared .b64 uu;', '.global .align 16 .b64 uu[8];', '.global .b8 uu;', '.shared .b16 uu[3];');
        draw(sub { push @{$test->{declarations}}, $variable }, sub { unshift @{$test->{declarations}}, $variable })->();
        return {};
    },
    registers => sub {
        my ($test) = @_;
        my $names = {};
        each_line($test, sub { s/(%[a-z]+)(\d+)\b(?!\.)/$1 . ($2 + 40)/ge });
        $test->{end} =~ s/(P\d+:%[a-z]+)(\d+)/$names->{"$1$2"} = $1 . ($2 + 40)/ge;
        return $names;
    },
    names => sub {
        my ($test) = @_;
        my $names = {};
        my $any = join '|', names_of($test);
        my $map = sub { my ($text) = @_; return $text =~ s/(?<![%.\w:])($any)\b(?!::)/v_$1/gr };
        $_ = $map->($_) for @{$test->{declarations}};
        each_line($test, sub { $_ = $map->($_) });
        $test->{end} = $map->($test->{end});
        $test->{variables} = 1;
        return $names;
    },
    labels => sub {
        my ($test) = @_;
        my $found = 0;
        for my $thread (@{$test->{threads}}) {
            my %labels = map { /^(\w+):/ ? ($1 => 1) : () } @{$thread->{lines}};
            $found += %labels;
            for my $label (keys %labels) { s/\b\Q$label\E\b(?!\.)/Z_$label/g for @{$thread->{lines}} }
        }
        return $found ? {} : undef;
    },
    threads => sub {
        my ($test) = @_;
        my @threads = @{$test->{threads}};
        my (%queue, @order);
        push @{$queue{cta_of($threads[$_]{place})}}, $_ for 0 .. $#threads;
        push @order, shift @{$queue{draw(sort grep { @{$queue{$_}} } keys %queue)}} while @order < @threads;
        my @new;
        $new[$order[$_]] = $_ for 0 .. $#order;
        my $names = {};
        $test->{threads} = [@threads[@order]];
        $test->{end} =~ s/P(\d+):(%\w+)/$names->{"P$1:$2"} = "P$new[$1]:$2"/ge;
        return $names;
    },
    declarations => sub {
        my ($test) = @_;
        my @lines = @{$test->{declarations}};
        my @free = grep { $lines[$_] =~ /^\.(global|shared) / && $lines[$_] !~ /\@|aliases|tensormap/ } 0 .. $#lines;
        return undef if @free < 2;
        # Each keeps its place among what refers to it: the first place of them all is before that.
        my @moved = reverse @lines[@free];
        my %is_free = map { $_ => 1 } @free;
        $test->{declarations} = [@moved, map { $lines[$_] } grep { !$is_free{$_} } 0 .. $#lines];
        return {};
    },
    places => sub {
        my ($test) = @_;
        my $ranked = grep { /%ctaid|%clusterid|mapa|cta_group::2|multicast/ } map { @{$_->{lines}} } @{$test->{threads}};
        for my $thread (@{$test->{threads}}) {
            $thread->{place} =~ s/gpu (\d+)/'gpu ' . ($1 + 10)/ge;
            $thread->{place} =~ s/(cta|cluster) (\d+)/"$1 " . ($2 + 10)/ge if !$ranked;
        }
        return {};
    },
);

# --- Products ---------------------------------------------------------------------------------------

# Whether the threads of a test may be of one grid: they have no clusters, and are on one GPU.
sub fits_grid {
    my ($test) = @_;
    return !grep { $_->{place} =~ /cluster|gpu [1-9]/ } @{$test->{threads}};
}

# The test and another one, which share nothing. The condition is that of the first; both show all their values.
sub multiply {
    my ($test, $factor) = @_;
    my $names = {};
    my $second = copy($factor);
    my $count = @{$test->{threads}};
    my $any = join '|', names_of($second);
    my $rename = sub { s/(?<![%.\w:])($any)\b/w_$1/g };
    $rename->() for @{$second->{declarations}}, $second->{end};
    each_line($second, $rename);
    my ($shown) = $second->{end} =~ /^locations \[(.*)\]/;
    my %registers = map { $_ => 1 } $second->{end} =~ /(P\d+:%\w+)/g;
    for my $register (sort keys %registers) {
        my ($thread, $name) = $register =~ /P(\d+):(.*)/;
        $names->{$register} = 'P' . ($thread + $count) . ":$name";
        $shown .= " $names->{$register};";
    }
    my $grid = $test->{threads}[0]{place} =~ /grid/;
    for my $thread (@{$second->{threads}}) {
        (my $place = $thread->{place}) =~ s/(cta|cluster) (\d+)/"$1 " . ($2 + 60)/ge;
        $place = $place =~ s/\@cta/\@grid 0,cta/r =~ s/,(cluster|gpu) \d+//gr if $grid;
        push @{$test->{threads}}, {place => $place, lines => $thread->{lines}};
    }
    push @{$test->{declarations}}, @{$second->{declarations}};
    $test->{end} =~ s/^locations \[/locations [$shown /;
    return $names;
}

# --- Running and comparing --------------------------------------------------------------------------

sub write_file {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!\n";
    print $file $text;
    close $file or die "$path: $!\n";
}

# The results of the tests of a folder, by file name.
sub run {
    my ($folder, $model) = @_;
    my %results;
    open my $out, '-|', "'$build/ptxlitmus' --model ptx-$model --format json --timeout $option{timeout} '$folder' 2>'$folder.messages'"
      or die "ptxlitmus: $!\n";
    while (<$out>) {
        my $result = decode_json($_);
        my ($name) = $result->{file} =~ m{([^/]+)$};
        $results{$name} //= $result;
    }
    close $out;
    die "ptxlitmus ended with status $?\n" if $? >> 8 > 4 || $? & 127;
    return \%results;
}

# A state over some names, given by those that it has now.
sub restrict {
    my ($state, $names) = @_;
    return $json->encode({map { $_ => $state->{$names->{$_}} } keys %$names});
}

# The states over the names of `before`, sorted, each once.
sub states_over {
    my ($result, $names) = @_;
    my %states = map { restrict($_, $names) => 1 } @{$result->{states}};
    return sort keys %states;
}

# Whether an answer may depend on how long one looks, or how far.
sub is_undecided {
    my ($result) = @_;
    return 1 if defined $result->{reason} && $result->{reason} =~ /limit/;
    return grep { /unknown|bound/ } @{$result->{flags} // []};
}

sub summary {
    my ($result, $names, @flags) = @_;
    return "error: " . $result->{error} if $result->{error};
    my %flags = map { $_ => 1 } @{$result->{flags}}, @flags;
    return join "\n", $result->{verdict}, join(' ', sort keys %flags), states_over($result, $names);
}

my ($tests, $compared, $undecided, $refused, $differ) = (0) x 5;
my %by_change;

# The names of a test's values, and what they are called after a change.
sub renamed {
    my ($result, $names, $variables) = @_;
    my %map;
    for my $name (map { keys %$_ } @{$result->{states}}[0 .. 0]) {
        $map{$name} = $names->{$name} // ($variables && $name !~ /^P\d+:/ ? "v_$name" : $name);
    }
    return \%map;
}

sub compare {
    my ($before, $after, $job) = @_;
    my $names = $before->{states} && @{$before->{states}} ? renamed($before, $job->{names}, $job->{variables}) : {};
    my $same = {map { $_ => $_ } keys %$names};
    if (is_undecided($before) || is_undecided($after)) {
        $undecided++;
        return;
    }
    $refused++ if $before->{error};
    $compared++;
    $by_change{$job->{change}}++;
    my ($first, $second) = (summary($before, $same), summary($after, $names));
    $first = $second = 'error' if $before->{error} && $after->{error};
    return if $first eq $second;
    $differ++;
    print "$job->{file}: another result: $job->{change}\n$first\n--- after:\n$second\n$job->{text}\n";
}

sub compare_product {
    my ($before, $other, $after, $job) = @_;
    if (grep { is_undecided($_) || $_->{error} } $before, $other, $after) {
        $undecided++;
        return;
    }
    return if !@{$before->{states}} || !@{$other->{states}}; # flags of executions that show no state are open
    $compared++;
    $by_change{product}++;
    my @other = map { my $state = $_; my %new = map { ($job->{names}{$_} // "w_$_") => $state->{$_} } keys %$state; \%new } @{$other->{states}};
    my @states;
    for my $a (@{$before->{states}}) { push @states, map { $json->encode({%$a, %$_}) } @other }
    my %flags = map { $_ => 1 } @{$before->{flags}}, grep { @states && !/reading/ } @{$other->{flags}};
    my $first = join "\n", $before->{verdict}, join(' ', sort keys %flags), sort @states;
    my $second = join "\n", $after->{verdict}, join(' ', sort @{$after->{flags}}), sort map { $json->encode($_) } @{$after->{states}};
    return if $first eq $second;
    $differ++;
    print "$job->{file}: not the product\n$first\n--- after:\n$second\n$job->{text}\n";
}

# --- All kinds --------------------------------------------------------------------------------------

sub generate {
    my ($kind, $model, $count, $seed, $cap) = @_;
    my $folder = "$work/$kind-$cap";
    system("$build/tests/oracle/ptxlitmus-generate", '--kind', $kind, '--model', $model, '--count', $count, '--seed', $seed, '--cap',
        $cap, '--out', $folder) == 0
      or die "no tests of $kind\n";
    return map { slurp($_) } sort glob "$folder/*.litmus";
}

my @factors = map { parse($_) } generate('shapes', '9.1', 30, $option{seed} + 1, 20);
@factors = grep { @{$_->{threads}} == 2 && $_->{end} !~ /^filter/m } @factors;

sub run_kind {
    my ($kind) = @_;
    my $model = $kind =~ /later|products/ ? '9.3' : '9.1';
    my $folder = "$work/$kind";
    my (@jobs, $n);
    mkdir $folder;
    for my $text (generate($kind, $model, $option{count}, $option{seed}, 1000)) {
        my $test = parse($text);
        my $file = sprintf '%05d', $n++;
        srand(unpack '%32N*', pack 'N*', map { $_ * 2654435761 % 2**32 } $option{seed}, $n, length $kind, ord $kind);
        rand for 1 .. 4;
        write_file("$folder/$file-.litmus", text_of($test));
        $tests++;
        for my $i (1 .. $option{changes}) {
            my $change = $option{only} // draw(sort(keys %changes), 'product', 'exchange', 'own_exchange');
            my $new = copy($test);
            my %job = (before => "$file-.litmus", file => "$file-$i.litmus", change => $change);
            if ($change eq 'product') {
                $job{factor} = draw(grep { $test->{threads}[0]{place} !~ /grid/ || fits_grid($_) } @factors) // next;
                $job{names} = multiply($new, $job{factor});
                write_file("$folder/$file-$i-factor.litmus", text_of($job{factor}));
            } else {
                $job{names} = $changes{$change}->($new) or next;
            }
            $job{variables} = $new->{variables};
            $job{text} = text_of($new);
            write_file("$folder/$job{file}", $job{text});
            push @jobs, \%job;
        }
    }
    my $results = run($folder, $model);
    for my $job (@jobs) {
        my ($before, $after) = map { $results->{$_} // die "no result of $_\n" } @$job{qw(before file)};
        if ($job->{factor}) {
            compare_product($before, $results->{$job->{file} =~ s/\.litmus/-factor.litmus/r}, $after, $job);
        } else {
            compare($before, $after, $job);
        }
    }
}

for my $kind (split /,/, $option{kinds}) {
    my ($c, $u, $d) = ($compared, $undecided, $differ);
    run_kind($kind);
    printf "%s: %d compared, %d undecided, %d differ\n", $kind, $compared - $c, $undecided - $u, $differ - $d;
}
print join(', ', map { "$_ $by_change{$_}" } sort keys %by_change), "\n";
print "$tests tests, $compared comparisons, in $refused of which both are refused, $undecided undecided; $differ differ\n";
die "there should be more\n" if $compared < $tests;
exit($differ > 0);
