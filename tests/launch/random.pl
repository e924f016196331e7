#!/usr/bin/perl
# Random kernels that synchronise in ways that one run can follow, and mostly right: check by a run and by a search of
# all executions, which may not contradict each other.
#
#   tests/launch/random.pl BUILD [COUNT [SEED [KEEP]]]
#   tests/launch/random.pl orders BUILD [COUNT [SEED [KEEP]]]
#   tests/launch/random.pl make FOLDER [COUNT [SEED]]
#
# Kernels are rounds of steps of a few threads: stores and loads of shared memory, barriers of the block and of the warp,
# exchanges of lanes, elections, mbarriers with loops that wait, cp.async in groups, bulk copies with proxy fences, clusters
# of two blocks; some of the synchronisation is left out. Prints how many were decided by the run, by what was used. KEEP: a
# folder in which the kernels stay. Status 1 where the two differ. The second form has threads that meet unordered: flags,
# locks, counters, fences of all orders and scopes, loops that poll. The third writes kernels of two whole warps, for gpu.sh.
use strict;
use warnings;
use FindBin;

my $is_large = @ARGV > 1 && $ARGV[0] eq 'make';
my $has_orders = @ARGV > 1 && $ARGV[0] eq 'orders';
shift @ARGV if $has_orders;
my ($build, $count, $seed, $keep) = $is_large ? ('', @ARGV[2, 3, 1]) : @ARGV;
$count //= 60;
$seed //= 1;
die "usage: random.pl BUILD [COUNT [SEED [KEEP]]] | make FOLDER [COUNT [SEED]]\n" unless defined $build;
my $folder = $keep // "/tmp/launch-random-$$";
mkdir $folder unless -d $folder;

require "$FindBin::Bin/numbers.pl";
begin_numbers($seed);

my ($labels, $threads, $blocks, @body, %used);

sub some_thread { return $is_large ? one(0, 1, 33, 63) : number($threads); }
sub full_mask { return $is_large ? 0xffffffff : (1 << $threads) - 1; }

# Kernels for a GPU store the sum of what they load, which an assembler would leave out else.
sub say_line {
    push @body, map { ($_, $is_large && /^(ld|atom)\.[a-z0-9.]* %r5,/ ? 'add.u32 %r9, %r9, %r5;' : ()) } @_;
}

# A step of some threads: all, or one.
sub guarded {
    my ($who, @lines) = @_;
    if ($who eq 'all') {
        say_line(@lines);
        return;
    }
    my $label = 'L' . $labels++;
    say_line("setp.ne.u32 %p1, %r1, $who;", "\@%p1 bra $label;", @lines, "$label:");
}

# The word of shared memory at a function of the thread's number: its own, its neighbour's or a fixed one.
sub shared_word {
    my $kind = number(4);
    return ('own', '[%r3]') if $kind < 2;
    return ('next', '[%r4]') if $kind == 2;
    return ('first', '[s]');
}

sub access {
    my $who = chance(70) ? 'all' : some_thread();
    my ($where, $word) = shared_word();
    my $writes = chance($where eq 'own' ? 60 : 15);
    guarded($who, $writes ? "st.shared.u32 $word, %r1;" : "ld.shared.u32 %r5, $word;");
}

sub block_barrier { $used{barriers}++; say_line('bar.sync 0;') unless chance(15); }

sub warp_barrier {
    $used{warps}++;
    say_line(sprintf 'bar.warp.sync 0x%x;', full_mask()) unless chance(15);
}

sub exchange {
    $used{exchanges}++;
    say_line(sprintf one('shfl.sync.down.b32 %%r5|%%p2, %%r1, 1, 31, 0x%x;', 'vote.sync.any.pred %%p2, %%p1, 0x%x;',
        'redux.sync.add.s32 %%r5, %%r1, 0x%x;'), full_mask());
}

# The elected lane does something.
sub election {
    $used{elections}++;
    my $word = one('[%r3]', '[%r4]', '[s]');
    say_line(sprintf('elect.sync _|%%p2, 0x%x;', full_mask()),
        chance(60) ? "\@%p2 st.shared.u32 $word, %r1;" : "\@%p2 ld.shared.u32 %r5, $word;");
}

# Producers arrive at barrier 1, and consumers wait there.
sub named_barrier {
    $used{named}++;
    my $producer = $is_large ? number(2) : number($threads);
    my $label = 'L' . $labels++;
    say_line('shr.u32 %r8, %r1, ' . ($is_large ? 5 : 0) . ';', "setp.ne.u32 %p1, %r8, $producer;", "\@%p1 bra $label;",
        "barrier.arrive 1, $threads;", "bra ${label}E;", "$label:");
    say_line("barrier.sync 1, $threads;") unless chance(8);
    say_line("${label}E:");
}

my ($phase, $arrivals);

sub wait_for {
    my ($parity) = @_;
    my $label = 'W' . $labels++;
    return ("$label:", one('mbarrier.try_wait', 'mbarrier.test_wait') . ".parity.shared.b64 %p2, [m], $parity;",
        "\@!%p2 bra $label;");
}

sub mbarrier {
    $used{mbarriers}++;
    guarded('all', 'mbarrier.arrive.shared.b64 _, [m];') unless chance(5);
    my $who = chance(80) ? 'all' : some_thread();
    guarded($who, wait_for(chance(92) ? $phase : 1 - $phase)) unless chance(10);
    $phase = 1 - $phase;
}

# Two rounds of which some threads miss a wait, or go on where it fails.
sub rounds {
    $used{rounds}++;
    my $idler = chance(60) ? some_thread() : $threads;
    for my $round (0, 1) {
        guarded('all', 'st.shared.u32 [%r3], %r1;') if chance(50);
        guarded('all', 'mbarrier.arrive.shared.b64 _, [m];');
        my @wait = wait_for($phase);
        pop @wait if chance(12);
        my $label = 'L' . $labels++;
        say_line("setp.eq.u32 %p1, %r1, $idler;", "\@%p1 bra $label;", @wait, 'ld.shared.u32 %r5, [%r4];', "$label:");
        $phase = 1 - $phase;
        say_line('bar.sync 0;') if chance(40);
    }
    $used{mbarriers}++;
}

sub copies {
    $used{copies}++;
    my $who = chance(70) ? 'all' : some_thread();
    my @lines = ('cp.async.ca.shared.global [%r3], [%rd3], 4;');
    push @lines, 'cp.async.commit_group;' unless chance(8);
    guarded($who, @lines);
    access() if chance(20);
    say_line('cp.async.wait_group ' . (chance(80) ? 0 : 1) . ';') unless chance(15);
    block_barrier() if chance(60);
}

# A bulk copy to s by one thread, which all wait for at the mbarrier: it counts all arrivals.
sub bulk_load {
    $used{bulk}++;
    my $who = some_thread();
    guarded('all', one('st.shared.u32 [%r3], %r1;', 'ld.shared.u32 %r5, [%r3];'));
    say_line('fence.proxy.async.shared::cta;') unless chance(30);
    say_line('bar.sync 0;');
    my $label = 'L' . $labels++;
    my $bytes = 16;
    say_line("setp.ne.u32 %p1, %r1, $who;", "\@%p1 bra $label;",
        "mbarrier.arrive.expect_tx.shared.b64 _, [m], $bytes;",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], $bytes, [m];",
        "bra ${label}E;", "$label:", 'mbarrier.arrive.shared.b64 _, [m];', "${label}E:");
    guarded('all', wait_for($phase)) unless chance(8);
    $phase = 1 - $phase;
}

sub bulk_store {
    $used{stores}++;
    guarded('all', 'st.shared.u32 [%r3], %r1;');
    say_line('fence.proxy.async' . one('', '.shared::cta') . ';') unless chance(25);
    say_line('bar.sync 0;');
    my @lines = ('cp.async.bulk.global.shared::cta.bulk_group [%rd2], [s], 16;', 'cp.async.bulk.commit_group;');
    push @lines, 'cp.async.bulk.wait_group' . one('', '.read') . ' 0;' unless chance(15);
    guarded(0, @lines);
    block_barrier();
}

sub cluster_barrier {
    $used{clusters}++;
    return if chance(12);
    say_line('barrier.cluster.arrive' . (chance(6) ? '.relaxed' : '') . ';');
    access() if chance(20);
    say_line('barrier.cluster.wait;') unless chance(3);
}

# The other block's word of the same place.
sub peer_access {
    $used{clusters}++;
    my $word = one('%r3', '%r4', '%r2');
    guarded(chance(60) ? 'all' : some_thread(), "mapa.shared::cluster.u32 %r8, $word, %r11;",
        chance(25) ? 'st.shared::cluster.u32 [%r8], %r1;' : 'ld.shared::cluster.u32 %r5, [%r8];');
}

# Each block's threads arrive at the mbarrier of the other block, and wait at their own.
sub peer_arrival {
    $used{clusters}++;
    $used{mbarriers}++;
    my $scope = chance(85) ? '.release.cluster' : '';
    guarded('all', 'mapa.shared::cluster.u32 %r8, %r12, %r11;',
        "mbarrier.arrive$scope.shared::cluster.b64 _, [%r8];") unless chance(5);
    my @wait = wait_for($phase);
    s/_wait\.parity/_wait.parity.acquire.cluster/ for @wait;
    guarded('all', @wait) unless chance(8);
    $phase = 1 - $phase;
}

# Each block sends its words to the other one, by a bulk copy.
sub peer_copy {
    $used{clusters}++;
    $used{bulk}++;
    guarded('all', 'st.shared.u32 [%r3], %r1;') if chance(60);
    say_line('fence.proxy.async;') unless chance(20);
    say_line('bar.sync 0;');
    my $label = 'L' . $labels++;
    say_line("setp.ne.u32 %p1, %r1, 0;", "\@%p1 bra $label;",
        'mbarrier.arrive.expect_tx.shared.b64 _, [m], 16;', 'mov.u32 %r8, t;',
        'mapa.shared::cluster.u32 %r8, %r8, %r11;', 'mapa.shared::cluster.u32 %r10, %r12, %r11;',
        'cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r8], [s], 16, [%r10];',
        "bra ${label}E;", "$label:", 'mbarrier.arrive.shared.b64 _, [m];', "${label}E:");
    my @wait = wait_for($phase);
    s/_wait\.parity/_wait.parity.acquire.cluster/ for @wait;
    guarded('all', @wait) unless chance(8);
    $phase = 1 - $phase;
    say_line('ld.shared.u32 %r5, [t];') if chance(60);
}

sub atomics {
    $used{atomics}++;
    guarded(chance(70) ? 'all' : some_thread(),
        one('red.shared.add.u32 [c], 1;', 'atom.shared.add.u32 %r5, [c], 1;', 'ld.relaxed.cta.shared.u32 %r5, [c];'));
    block_barrier() if chance(70);
    say_line('ld.shared.u32 %r5, [c];') if chance(40);
}

sub kernel {
    ($labels, $threads, $blocks, @body, %used) = (0, $is_large ? 64 : 2 + number(2), 1);
    ($phase, $arrivals) = (0, 0);
    @body = ();
    %used = ();
    my @kinds = (\&access, \&access, \&access, \&block_barrier, \&block_barrier);
    my $family = number($is_large ? 8 : 10);
    push @kinds, ([\&warp_barrier, one(\&exchange, \&election)], [\&named_barrier], [\&mbarrier], [\&copies], [\&bulk_load],
        [\&bulk_store], [\&atomics], [\&rounds], [\&cluster_barrier, \&cluster_barrier, \&peer_access],
        [\&cluster_barrier, one(\&peer_arrival, \&peer_copy)])[$family]->@* for 1 .. 2;
    my $steps = 3 + number(4);
    if ($family >= 8) {
        ($blocks, $threads, $steps) = (2, 2, 2 + number(3));
    }
    one(@kinds)->() for 1 .. $steps;
    peer_access() if $blocks > 1 && chance(30);
    say_line('barrier.cluster.arrive;', 'barrier.cluster.wait;') if $blocks > 1 && chance(75);
    my $code = join "\n  ", @body;
    my $init = $used{mbarriers} || $used{bulk}
        ? "setp.ne.u32 %p1, %r1, 0;\n  \@%p1 bra INIT;\n  mbarrier.init.shared.b64 [m], $threads;\nINIT:\n  " .
            ($blocks > 1 ? "barrier.cluster.arrive;\n  barrier.cluster.wait;" : 'bar.sync 0;') : '';
    my $words = $is_large ? 64 : 4;
    my $globals = 2 * $words;
    my $cluster = $blocks > 1 ? " cluster $blocks" : '';
    my $ranks = $blocks > 1 ? "mov.u32 %r11, %cluster_ctarank;\n  xor.b32 %r11, %r11, 1;\n  mov.u32 %r12, m;\n  " : '';
    my $begin = $is_large ? "mov.u32 %r9, 0;\n  add.u64 %rd5, %rd2, %rd4;\n  " : '';
    my $end = $is_large ? "st.global.u32 [%rd5+256], %r9;\n  " : '';
    return <<"END";
.version 8.6
.target sm_90
.address_size 64
// PTXLITMUS global .align 16 g[$globals]
// PTXLITMUS global .align 16 h[$globals]
// PTXLITMUS kernel k grid $blocks block $threads$cluster
// PTXLITMUS arg 0 = &g
// PTXLITMUS arg 1 = &h
.visible .entry k(.param .u64 a, .param .u64 b)
{
  .reg .b32 %r<13>; .reg .b64 %rd<6>; .reg .pred %p<4>;
  .shared .align 16 .b32 s[$words];
  .shared .align 16 .b32 t[4];
  .shared .align 8 .b64 m;
  .shared .align 4 .b32 c;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  mov.u32 %r2, s;
  shl.b32 %r6, %r1, 2;
  add.u32 %r3, %r2, %r6;
  add.u32 %r7, %r1, 1;
  rem.u32 %r7, %r7, $threads;
  shl.b32 %r7, %r7, 2;
  add.u32 %r4, %r2, %r7;
  cvt.u64.u32 %rd4, %r6;
  add.u64 %rd3, %rd1, %rd4;
  $begin$ranks$init
  $code
  ${end}ret;
}
END
}

# --- Threads that meet unordered -------------------------------------------------------------------

my ($polls, $all_threads);

sub strong { return one('relaxed', @_) . '.' . one('gpu', 'gpu', 'gpu', 'sys', 'cta', 'cluster'); }
sub place { return one('x', 'x', 'x', 'y'); }
sub datum { return one('d', 'd', 'e'); }

sub data_access {
    $used{data}++;
    return one('st.global.u32 [' . datum() . '], %r1;', 'ld.global.u32 %r5, [' . datum() . '];');
}

sub any_fence {
    $used{fences}++;
    return 'fence.' . one('acq_rel', 'acq_rel', 'sc', 'acquire', 'release') . '.' . one('gpu', 'gpu', 'gpu', 'cta', 'sys') . ';';
}

sub strong_access {
    my $kind = number(7);
    $used{('loads', 'loads', 'stores', 'stores', 'atoms', 'swaps', 'reds')[$kind]}++;
    my ($place, $value) = (place(), 1 + number(2));
    return 'ld.' . strong('acquire', 'acquire') . ".global.u32 %r5, [$place];" if $kind < 2;
    return 'st.' . strong('release', 'release') . ".global.u32 [$place], $value;" if $kind < 4;
    my $order = strong('acquire', 'release', 'acq_rel', 'acq_rel');
    return "atom.$order.global.add.u32 %r5, [$place], 1;" if $kind == 4;
    return one("atom.$order.global.exch.b32 %r5, [$place], $value;", "atom.$order.global.cas.b32 %r5, [$place], 0, $value;")
        if $kind == 5;
    return 'red.' . strong('release') . ".global.add.u32 [$place], 1;";
}

# Goes on when the place holds what it is asked for.
sub poll {
    $used{polls}++;
    my $label = 'P' . $labels++;
    my @tail = chance(35) ? any_fence() : ();
    my $place = place();
    return ("$label:", 'atom.' . strong('acquire', 'acq_rel') . ".global.cas.b32 %r5, [$place], 0, 1;",
        'setp.ne.u32 %p1, %r5, 0;', "\@%p1 bra $label;", @tail) if chance(25);
    return ("$label:", 'ld.' . strong('acquire', 'acquire') . ".global.u32 %r5, [$place];",
        one('setp.eq.u32 %p1, %r5, 0;', 'setp.ne.u32 %p1, %r5, 1;', 'setp.lt.u32 %p1, %r5, 2;'), "\@%p1 bra $label;", @tail);
}

# A message: data, and a flag that says so.
sub sender {
    return ('st.global.u32 [d], %r1;', chance(40) ? any_fence() : (),
        one('st.' . strong('release', 'release') . '.global.u32 [x], 1;', 'red.' . strong('release') . '.global.add.u32 [x], 1;',
            'atom.' . strong('release', 'acq_rel') . '.global.exch.b32 %r5, [x], 1;'));
}

sub unlock { return (chance(50) ? any_fence() : (), 'st.' . strong('release', 'release') . '.global.u32 [' . place() . '], 0;'); }

sub on_value {
    my $label = 'V' . $labels++;
    return ('setp.ne.u32 %p1, %r5, ' . number(3) . ';', "\@%p1 bra $label;", data_access(), "$label:");
}

sub steps {
    my @lines;
    for (1 .. 1 + number(3)) {
        my $kind = number(9);
        push @lines, $kind < 2 ? strong_access() : $kind == 2 ? poll() : $kind == 3 ? sender() : $kind == 4 ? unlock()
            : $kind == 5 ? any_fence() : $kind == 6 ? (strong_access(), on_value()) : data_access();
    }
    return @lines;
}

# Block 0 polls together: one of its threads reads, and tells the others at a barrier. Some barriers are left out, and something
# else may be done in each round. The threads of the other block do other things.
sub rounds_together {
    $used{together}++;
    my $read = one('ld.' . strong('acquire', 'acquire') . '.global.u32 %r5, [x];',
        'atom.' . strong('acquire', 'acq_rel') . '.global.cas.b32 %r5, [x], 1, 2;');
    my @other = chance(70) ? () : ('setp.ne.u32 %p2, %r3, ' . number(2) . ';',
        '@%p2 ' . one('st.shared.u32 [t], %r1;', 'ld.shared.u32 %r7, [t];', 'st.shared.u32 [s], 0;', data_access()));
    say_line('setp.ne.u32 %p1, %r2, 0;', '@%p1 bra OTHERS;', 'ROUND:', chance(85) ? 'bar.sync 0;' : (), shuffle_in('setp.ne.u32 %p1, %r3, 0;',
        '@%p1 bra TOLD;', $read, 'st.shared.u32 [s], %r5;', 'TOLD:', \@other), chance(90) ? 'bar.sync 0;' : (), chance(15) ? @other : (),
        'ld.shared.u32 %r6, [s];', 'setp.eq.u32 %p1, %r6, 0;', '@%p1 bra ROUND;', data_access(), 'bra DONE;', 'OTHERS:');
    guarded($_, chance(60) ? sender() : steps()) for 2 .. 3;
    say_line('DONE:');
}

# The lines, with other ones before or after them.
sub shuffle_in {
    my $other = pop;
    return chance(50) ? (@$other, @_) : (@_, @$other);
}

sub orders_kernel {
    ($labels, $polls, @body, %used) = (0, 0);
    @body = ();
    %used = ();
    ($blocks, $threads) = (1 + number(3), 1 + number(2));
    $threads = 2 if $blocks == 1;
    $threads = 1 if $blocks == 3;
    $all_threads = $blocks * $threads;
    if (chance(8)) {
        ($blocks, $threads) = (2, 2);
        rounds_together();
    } elsif (chance(30)) { # all alike
        say_line(steps());
        say_line('bar.sync 0;', data_access()) if chance(30);
    } else {
        guarded($_, steps()) for 0 .. $all_threads - 1;
        say_line('bar.sync 0;', data_access()) if chance(20);
    }
    my $code = join "\n  ", @body;
    return <<"END";
.version 8.6
.target sm_90
.address_size 64
// PTXLITMUS kernel k grid $blocks block $threads
.visible .global .align 4 .u32 x;
.visible .global .align 4 .u32 y;
.visible .global .align 4 .u32 d;
.visible .global .align 4 .u32 e;
.visible .entry k()
{
  .reg .b32 %r<13>; .reg .pred %p<4>;
  .shared .align 4 .u32 s;
  .shared .align 4 .u32 t;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r1, %r2, $threads, %r3;
  mov.u32 %r5, 0;
  $code
  ret;
}
END
}

my (%decided, %all, @paths);
for my $i (1 .. $count) {
    my $path = sprintf '%s/%05d.ptx', $folder, $i;
    open my $out, '>', $path or die "$path: $!\n";
    print $out $has_orders ? orders_kernel() : kernel();
    close $out;
    push @paths, [$path, join('+', sort keys %used) || 'accesses'];
}
my ($differ, $free, $faulty) = (0, 0, 0);
exit 0 if $is_large;
for my $test (@paths) {
    my ($path, $kinds) = @$test;
    my $run = `$build/ptxlitmus check --method run $path 2>/dev/null`;
    my $seconds = $kinds =~ /together/ ? 3 : 10; # the search seldom decides whether such loops end
    my $both = `$build/ptxlitmus check --method both --no-fix --timeout $seconds $path 2>&1`;
    $all{$kinds}++;
    my $found = $run =~ /found by running/;
    $decided{$kinds} += $found;
    $free += $found && $run =~ /: free of/;
    $faulty += $found && $run =~ /: not free of/;
    if ($both =~ /a run of it says|\bbug\b|Sanitizer/ || ($both =~ /error:/ && $both !~ /undecided/)) {
        $differ++;
        print "$path: $both";
    }
}
printf "%-40s %d of %d\n", $_, $decided{$_} // 0, $all{$_} for sort keys %all;
print "$free free, $faulty faulty, of $count; $differ differ\n";
system 'rm', '-rf', $folder unless defined $keep;
exit($differ > 0 ? 1 : 0);
