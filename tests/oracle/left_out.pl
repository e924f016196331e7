#!/usr/bin/env perl
# Launches with all threads and with some left out: every outcome with all of them, which the oracle finds, is among those
# that ptxlitmus finds without some, where an unknown value stands for any. Random launches of two blocks of three threads.
# So are random launches of one block of three threads with asynchronous copies and mbarriers.
# So are random launches whose threads pass values on by flags, in phases of a barrier and by exchanges in their warp: of them, what is certain
# without some threads is found with all of them.
# And of one block of two threads: where the oracle finds a race of the two, ptxlitmus says of one of them alone that races with the other are not
# looked for.
#
# usage: left_out.pl BUILD [COUNT [FIRST]]
use strict;
use warnings;
use File::Temp qw(tempdir);

my $build = shift // die "usage: left_out.pl BUILD [COUNT [FIRST]]\n";
my $count = shift // 100;
my $first = shift // 1;
my $work = tempdir(CLEANUP => 1);
my $steps = 20000; # of the oracle, which on a busy machine are as many: with more, most time goes to launches that are then left out

sub pick { return $_[int rand @_] }

# One statement of the kernel; `$reads` counts the registers that are shown.
sub statement {
    my ($reads) = @_;
    my $value = 1 + int rand 2;
    my $order = pick('relaxed.gpu', 'relaxed.gpu', 'weak');
    my $place = pick('x', 'x', 'y');
    my $kind = int rand 12;
    return "  st.$order.global.u32 [$place], $value;\n" if $kind < 2;
    return "  st.release.gpu.global.u32 [y], $value;\n" if $kind == 2;
    return "  st.shared.u32 [%rs1], $value;\n" if $kind < 5;
    return pick("  bar.sync 0;\n", "  bar.sync 0;\n", "  bar.sync 0, 3;\n", "  \@!%p0 bar.sync 1, 2;\n", "  \@!%p1 bar.sync 1, 2;\n")
        if $kind == 5 || $kind == 10;
    return "  fence.acq_rel.gpu;\n" if $kind == 6;
    return "" if $$reads == 2;
    if ($kind == 11) { # what a reduction gives is stored: 3 or 4
        my $from = pick('%p0', '!%p0', '%p1', '%q0', '%p2');
        my $reduce = pick('red.or.pred %p3, 0', 'red.and.pred %p3, 0', 'red.popc.u32 %v0, 0');
        my $show = '%v' . (++$$reads);
        my $load = $from eq '%p2' ? "  ld.relaxed.gpu.global.u32 %v0, [x];\n  setp.eq.u32 %p2, %v0, 1;\n" : '';
        return "$load  bar.$reduce, $from;\n" . ($reduce =~ /popc/ ? "  mov.u32 $show, %v0;\n" : "  selp.u32 $show, 3, 4, %p3;\n");
    }
    my $target = '%v' . (++$$reads);
    return "  ld.shared.u32 $target, [%rs2];\n" if $kind == 7;
    return "  atom.relaxed.gpu.global.add.u32 $target, [x], 1;\n" if $kind == 8;
    return "  ld.acquire.gpu.global.u32 $target, [y];\n" if rand() < 0.4;
    return "  ld.$order.global.u32 $target, [$place];\n";
}

# Statements, some of which only threads of one number run, or those of one block, or all but those.
sub body {
    my $reads = 0;
    my $text = '';
    for (1 .. 2 + int rand 3) {
        my $statement = statement(\$reads);
        my $guard = $statement =~ /bar/ ? '' : pick('', '@%p0 ', '@!%p0 ', '@%p1 ', '@%q0 ', '@!%q0 ');
        $statement =~ s/^  /  $guard/;
        $text .= $statement;
    }
    return ($text, $reads);
}

# All threads meet at the mbarrier, in its phase of this number.
sub meet {
    my ($turn) = @_;
    my $wait = $turn % 2 ? pick("wait.parity.shared.b64 %p3, [m], 1", "wait.shared.b64 %p3, [m], %rs0") : "wait.parity.shared.b64 %p3, [m], 0";
    return "  mbarrier.arrive.shared.b64 %rs0, [m];\nW$turn:\n  mbarrier.try_$wait;\n  \@!%p3 bra W$turn;\n";
}

# One statement of a kernel with asynchronous copies and an mbarrier.
sub asynchronous_statement {
    my ($reads, $arrives) = @_;
    my $value = 1 + int rand 2;
    my $kind = int rand 15;
    return "" if !$arrives && ($kind == 6 || $kind == 7 || $kind == 8 || $kind == 10);
    return "  st.shared.u32 [%rs1], $value;\n" if $kind == 0;
    return "  st.relaxed.gpu.global.u32 [x], $value;\n" if $kind == 1;
    return pick("  cp.async.ca.shared.global [%rs1], [x], 4;\n", "  cp.async.ca.shared.global [%rs2], [x], 4;\n") if $kind == 2 || $kind == 3;
    return "  cp.async.wait_all;\n" if $kind == 4;
    return "  bar.sync 0;\n" if $kind == 5;
    return "  cp.async.mbarrier.arrive.noinc.shared.b64 [m];\n" if $kind == 6;
    return "  mbarrier.arrive.shared.b64 %rs0, [m];\n" if $kind <= 8;
    return "  cp.async.bulk.global.shared::cta.bulk_group [g], [s], 16;\n  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group 0;\n"
        if $kind == 9;
    return "  mbarrier.arrive.expect_tx.shared.b64 %rs0, [m], 16;\n"
        . "  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [g], 16, [m];\n" if $kind == 10;
    return "" if $$reads == 2;
    my $target = '%v' . (++$$reads);
    my $parity = int rand 4 == 0 ? 1 : 0;
    return "  mbarrier.test_wait.parity.shared.b64 %p3, [m], $parity;\n  selp.u32 $target, 3, 4, %p3;\n" if $kind <= 13;
    return pick("  ld.shared.u32 $target, [%rs2];\n", "  ld.shared.u32 $target, [%rs1];\n", "  ld.relaxed.gpu.global.u32 $target, [g];\n");
}

# Such statements, after one thread has initialised the mbarrier; where all meet there, other arrivals are rare.
sub asynchronous_body {
    my ($threads) = @_;
    my $reads = 0;
    my $meets = rand() < 0.3;
    my $arrivals = $meets ? $threads : 1 + int rand $threads;
    my $text = pick('  @%p0 ', '  @%p1 ') . "mbarrier.init.shared.b64 [m], $arrivals;\n  bar.sync 0;\n";
    for my $i (0 .. 1 + int rand 4) {
        my $statement = asynchronous_statement(\$reads, !$meets || rand() < 0.05);
        my $guard = $statement =~ /bar\.sync/ ? '' : pick('', '@%p0 ', '@!%p0 ', '@%p1 ', '@!%p1 ', '@%p2 ');
        $statement =~ s/^  /  $guard/mg;
        $text .= $statement;
        $text .= meet($i) if $meets && $i < 2;
    }
    return ($text, $reads);
}

# --- Flags, phases and exchanges -----------------------------------------------------------------------------------

# One statement of a kernel whose threads pass values on: by flags of which a counter says which one, in phases of a barrier, by exchanges in the warp.
sub passing_statement {
    my ($reads) = @_;
    my $value = 1 + int rand 2;
    my $kind = int rand 16;
    return "  bar.sync 0;\n" if $kind < 5;
    return "  st.shared.u32 [%rs1], $value;\n" if $kind == 5;
    return "  st.shared.u32 [%rs2], $value;\n" if $kind <= 7;
    my $pick = pick("ld.relaxed.gpu.global.u32 %v0, [x]", "ld.shared.u32 %v0, [%rs2]", "ld.shared.u32 %v0, [%rs1]");
    my $slot = "  $pick;\n  and.b32 %v0, %v0, 1;\n  mul.wide.u32 %rf, %v0, 4;\n  add.u64 %rf, %rf, %rg;\n";
    return "$slot  st.relaxed.gpu.global.u32 [%rf], $value;\n" if $kind == 8;
    return "  st.relaxed.gpu.global.u32 [" . pick('x', 'g', 'g+4') . "], $value;\n" if $kind == 9;
    return "" if $$reads == 2;
    my $target = '%v' . (++$$reads);
    return "  ld.shared.u32 $target, [" . pick('%rs1', '%rs2') . "];\n" if $kind <= 12;
    return $slot . "  ld.relaxed.gpu.global.u32 $target, [%rf];\n" if $kind == 13;
    my $from = pick('%p0', '%p1', '%p2', '%p3', '%p3');
    my $load = $from eq '%p3' ? "  ld.relaxed.gpu.global.u32 %v0, [x];\n  setp.eq.u32 %p3, %v0, 1;\n" : '';
    return "$load  vote.sync." . pick('any', 'all', 'uni') . ".pred %p3, $from, 7;\n  selp.u32 $target, 3, 4, %p3;\n" if $kind == 14;
    return "$load  selp.u32 %v0, 1, 0, $from;\n"
        . pick("  shfl.sync.idx.b32 $target, %v0, " . int(rand 3) . ", 31, 7;\n", "  redux.sync.add.u32 $target, %v0, 7;\n", "  redux.sync.max.u32 $target, %v0, 7;\n");
}

sub passing_body {
    my $reads = 0;
    my $text = '';
    for (1 .. 3 + int rand 3) {
        my $statement = passing_statement(\$reads);
        my $guard = $statement =~ /sync/ ? '' : pick('', '', '@%p0 ', '@!%p0 ', '@%p1 ', '@%p2 ');
        $statement =~ s/^  /  $guard/mg;
        $text .= $statement;
    }
    return ($text, $reads);
}

# A flag that is certain without some threads is one of the whole launch.
sub invented {
    my ($all, $some) = @_;
    my ($flags) = $some =~ /"flags":\[([^\]]*)\]/;
    my ($whole) = $all =~ /"flags":\[([^\]]*)\]/;
    return defined $flags && grep { index($whole, $_) < 0 } $flags =~ /"(data-race)"/g;
}

sub write_file {
    my ($path, $text) = @_;
    open my $out, '>', $path or die "$path: $!\n";
    print $out $text;
    close $out or die "$path: $!\n";
}

# Writes the module with a launch that ends in `$threads`.
sub module {
    my ($path, $text, $shown, $threads, $shape) = @_;
    $shape = 'grid 2 block 3' if !defined $shape;
    write_file($path, <<"END");
// PTXLITMUS kernel k $shape$threads
// PTXLITMUS locations [$shown]
// PTXLITMUS exists (x == 7)
.version 8.0
.target sm_90
.address_size 64
.global .u32 x;
.global .u32 y;
.global .align 16 .u32 g[4];
.visible .entry k() {
  .reg .pred %p<4>, %q<1>;
  .reg .b32 %r<3>, %s<3>, %v<3>;
  .reg .b64 %rs<3>, %rf, %rg;
  .shared .align 16 .b32 s[4];
  .shared .align 8 .b64 m;
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %p0, %r0, 0;
  setp.eq.u32 %p1, %r0, 1;
  setp.eq.u32 %q0, %r1, 0;
  setp.eq.u32 %p2, %r0, 2;
  mov.u32 %v1, 9;
  mov.u32 %v2, 9;
  mov.u64 %rs0, s;
  mul.wide.u32 %rs1, %r0, 4;
  add.u64 %rs1, %rs1, %rs0;
  add.u64 %rs2, %rs0, 4;
  mov.u64 %rg, g;
$text  ret;
}
END
}

# The states in a line of JSON, each as values in the order of `@$names`; and its verdict.
sub states {
    my ($json, $names) = @_;
    my ($verdict) = $json =~ /"verdict":"(\w+)"/;
    my ($list) = $json =~ /"states":\[(.*?)\],"complete"/;
    my @states;
    while (defined $list && $list =~ /\{([^}]*)\}/g) {
        my %values = $1 =~ /"([^"]+)":(\w+)/g;
        push @states, [map { $values{$_} } @$names];
    }
    return ($verdict, @states);
}

# Whether a state with unknown values is one that may be this one.
sub covers {
    my ($general, $state) = @_;
    for my $i (0 .. $#$state) {
        return 0 if $general->[$i] ne 'null' && $general->[$i] ne $state->[$i];
    }
    return 1;
}

# Compares what is found of a launch with all of its threads and with these; returns how many outcomes are missing and are to be found, and how many
# of those that are found have a value that is not known.
sub compare_states {
    my ($seed, $modelled, $text, $all, $names) = @_;
    my $some = `$build/ptxlitmus --format json $work/some.ptx 2>$work/err`;
    write_file("$work/some", $some);
    my ($verdict, @wanted) = states($all, $names);
    my ($other, @found) = states($some, $names);
    return if !@wanted || (!defined $other && `cat $work/err` =~ /launch leaves out/);
    my @missing = grep { my $state = $_; !grep { covers($_, $state) } @found } @wanted;
    my $unknown = grep { grep { $_ eq 'null' } @$_ } @found;
    return (0, $unknown, scalar @found) if !@missing && defined $other;
    print "seed $seed, threads @$modelled: ", scalar @missing, " of ", scalar @wanted, " outcomes are missing\n", $text;
    print "  @$names\n", map { "  @$_\n" } @missing[0 .. ($#missing < 3 ? $#missing : 3)];
    system "cat $work/err";
    return (1, $unknown, scalar @found);
}

my ($compared, $failed, $unknown, $exact) = (0, 0, 0, 0);
for my $seed ($first .. $first + 10 * $count) {
    last if $compared == $count;
    srand $seed;
    my ($text, $reads) = body();
    next if $reads == 0;
    my @modelled = @{pick([0], [0, 1], [1], [0, 2])};
    my @names = ('x', 'y');
    for my $block (0, 1) {
        for my $thread (@modelled) {
            push @names, map { 'P' . (3 * $block + $thread) . ":%v$_" } 1 .. $reads;
        }
    }
    my $shown = join '', map { "$_; " } @names;
    module("$work/all.ptx", $text, $shown, '');
    module("$work/some.ptx", $text, $shown, ' threads ' . join(', ', @modelled));
    my $all = `$build/tests/oracle/ptxlitmus-oracle --limit $steps $work/all.ptx 2>/dev/null`;
    next if $all !~ /"complete":true/ || $all =~ /"unsupported"/;
    my ($bad, $open, $found) = compare_states($seed, \@modelled, $text, $all, \@names);
    next if !defined $bad;
    $compared++;
    $failed += $bad;
    $unknown += $open;
    $exact++ if $found && !$open;
}
# Launches with asynchronous operations: those that misuse the mbarrier are left out.
my ($asynchronous, $precise, $misused, $refused, $joined, $turned) = (0, 0, 0, 0, 0, 0);
for my $seed ($first .. $first + 40 * $count) {
    last if 4 * $asynchronous >= $count;
    srand $seed;
    my $threads = 3;
    my ($text, $reads) = asynchronous_body($threads);
    next if $reads == 0;
    my @modelled = @{pick([0], [0, 1], [1], [0, 2], [1, 2])};
    my @names = ('x', map { my $thread = $_; map { "P$thread:%v$_" } 1 .. $reads } @modelled);
    my $shown = join '', map { "$_; " } @names;
    module("$work/all.ptx", $text, $shown, '', "block $threads");
    module("$work/some.ptx", $text, $shown, ' threads ' . join(', ', @modelled), "block $threads");
    # Waiting loops take the oracle too long: there it is ptxlitmus that decides the whole launch.
    my $judge = $text =~ /bra/ ? "ulimit -t 6; exec $build/ptxlitmus -j 1 --format json" : "$build/tests/oracle/ptxlitmus-oracle --limit $steps";
    my $all = `$judge $work/all.ptx 2>/dev/null`;
    next if $all !~ /"complete":true/ || $all =~ /"unsupported"/;
    if ($all =~ /"mbarrier-misuse"/) {
        $misused++;
        next;
    }
    my ($bad, $open, $found) = compare_states($seed, \@modelled, $text, $all, \@names);
    $refused++ if !defined $bad;
    next if !defined $bad;
    $asynchronous++;
    $failed += $bad;
    my $joins = `cat $work/some` =~ /as many of the others arrive/;
    $joined++ if $joins;
    $turned++ if $joins && $text =~ /W1:/;
    $precise++ if $found && !$open;
}
# Each of these launches is judged by the oracle within so many steps, or it is too large.
my ($passing, $open_ones, $known_ones, $certain, $possible) = (0, 0, 0, 0, 0);
for my $seed ($first .. $first + $count - 1) {
    srand $seed;
    my ($text, $reads) = passing_body();
    next if $reads == 0;
    my @modelled = @{pick([0], [0, 1], [1], [0, 2])};
    my @blocks = (0 .. (int rand 5 == 0));
    my @names = ('x', 'g[1]', map { my $block = $_; map { my $thread = 3 * $block + $_; map { "P$thread:%v$_" } 1 .. $reads } @modelled } @blocks);
    my $shown = join '', map { "$_; " } @names;
    my $shape = 'grid ' . @blocks . ' block 3';
    module("$work/all.ptx", $text, $shown, '', $shape);
    module("$work/some.ptx", $text, $shown, ' threads ' . join(', ', @modelled), $shape);
    my $all = `$build/tests/oracle/ptxlitmus-oracle --limit $steps $work/all.ptx 2>/dev/null`;
    next if $all !~ /"complete":true/ || $all =~ /"unsupported"/;
    my ($bad, $open, $found) = compare_states($seed, \@modelled, $text, $all, \@names);
    next if !defined $bad;
    $passing++;
    $failed += $bad;
    $open_ones++ if $open;
    $known_ones++ if $found && !$open;
    my $some = `cat $work/some`;
    $possible++ if $some =~ /"possible_flags":\["data-race"/;
    $certain++ if $some =~ /"flags":\["data-race"/;
    next if !invented($all, $some);
    $failed++;
    print "seed $seed, threads @modelled: a race that the whole launch does not have\n$text$some";
}
print "$passing launches that pass values on, of $known_ones all values known, of $open_ones not; $certain with certain races, $possible with possible ones\n";
my ($launches, $races, $silent, $flights) = (0, 0, 0, 0);
for my $seed ($first .. $first + 20 * $count) {
    last if $launches == $count;
    srand $seed;
    my ($text) = $seed % 2 ? body() : asynchronous_body(3);
    next if $text =~ /bar\.red|bar\.sync 0, 3|bar\.sync 1/;
    module("$work/all.ptx", $text, 'x; ', '', 'block 2');
    my $named = int rand 2;
    module("$work/some.ptx", $text, 'x; ', " threads $named", 'block 2');
    my $all = `$build/tests/oracle/ptxlitmus-oracle --limit $steps $work/all.ptx 2>/dev/null`;
    next if $all !~ /"complete":true/ || $all =~ /"unsupported"|"mbarrier-misuse"/;
    my $some = `$build/ptxlitmus --format json $work/some.ptx 2>$work/err`;
    next if `cat $work/err` =~ /launch leaves out/;
    my $assumed = $some =~ /no race is looked for/;
    $launches++;
    $silent++ if !$assumed;
    next if $all !~ /"data-race"|"async-undefined"/;
    module("$work/other.ptx", $text, 'x; ', ' threads ' . (1 - $named), 'block 2');
    my $other = `$build/ptxlitmus --format json $work/other.ptx 2>/dev/null`;
    next if $other eq '' || $other =~ /"data-race"|"async-undefined"/; # refused, or its own
    $races++;
    $flights++ if $all =~ /"async-undefined"/;
    next if $assumed || $some =~ /"data-race"|"async-undefined"/;
    $failed++;
    print "seed $seed, one of two threads: a race that is not assumed away\n$text$some";
}
print "$launches launches of two threads, $races with races, $flights of them with operations in flight; of $silent nothing is said of races with the other one\n";
print "$asynchronous launches with asynchronous operations, of $precise all values known; in $joined others arrive, in $turned of these in two phases; ",
    "$refused refused, $misused misuse the mbarrier\n";
print "$compared launches, of $exact all values known; $failed with outcomes that are missing\n";
exit($failed > 0 || $races == 0 || $flights == 0 || $silent == 0 || $launches < $count || $compared < $count || $exact == 0 || $unknown == 0
    || $passing == 0 || $known_ones == 0 || $open_ones == 0 || $certain == 0 || $possible == 0 || 4 * $asynchronous < $count || $precise == 0 || $joined == 0 || $turned == 0);
