#!/usr/bin/perl
# Random tests of products of matrices, of tensor memory, of multicasts, of grids that come after each other, and of blocks that
# are cancelled, mostly right: check by a run and by a search of all executions, which may not contradict each other.
#
#   tests/launch/random_async.pl BUILD [COUNT [SEED [KEEP]]]
#
# Of each kind a fifth. Some of the synchronisation is left out. Prints how many the run decided, by kind. KEEP: a folder in
# which the tests stay. Status 1 where the two differ, or where the run decides none of a kind.
use strict;
use warnings;
use FindBin;

my ($build, $count, $seed, $keep) = @ARGV;
$count //= 60;
$seed //= 1;
die "usage: random_async.pl BUILD [COUNT [SEED [KEEP]]]\n" unless defined $build;
my $folder = $keep // "/tmp/launch-random-async-$$";
mkdir $folder unless -d $folder;

require "$FindBin::Bin/numbers.pl";
begin_numbers($seed);
sub perhaps { my ($percent, @lines) = @_; return chance($percent) ? @lines : (); }

# The threads' lines in columns.
sub table {
    my ($places, @threads) = @_;
    my $longest = 0;
    for (@threads) { $longest = @$_ if @$_ > $longest; }
    my $text = join(' | ', map { "P$_\@$places->[$_]" } 0 .. $#threads) . " ;\n";
    for my $line (0 .. $longest - 1) {
        $text .= join(' | ', map { $_->[$line] // '' } @threads) . " ;\n";
    }
    return $text;
}

my $labels;
sub wait_for {
    my ($barrier, $parity, $order) = @_;
    my $label = 'W' . $labels++;
    return ("$label: mbarrier.try_wait.parity${order}.shared.b64 %q0, [$barrier], $parity", "\@!%q0 bra $label");
}

# --- Products --------------------------------------------------------------------------------------

sub matrix_access {
    my $name = one('a', 'b');
    return one("st.weak.shared.u32 [$name], 2", "st.weak.shared.u32 [$name], 3", "ld.weak.shared.u32 %r9, [$name]");
}

sub product {
    my $d = one('{%r0, %r1, %r2, %r3}', '{%r4, %r5, %r6, %r7}');
    return "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 $d, %rd0, %rd1, " . one(0, 1);
}

sub refill {
    my ($phase) = @_;
    return ('mbarrier.arrive.expect_tx.shared.b64 _, [m], 16',
        'cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [a], [g], 16, [m]', perhaps(85, wait_for('m', $phase, '')));
}

sub products {
    my @lines = ('mov.u64 %rd0, a', 'shr.u64 %rd0, %rd0, 4', 'mov.u64 %rd1, b', 'shr.u64 %rd1, %rd1, 4');
    push @lines, map { "mov.u32 %r$_, 0" } 0 .. 7;
    my $phase = 0;
    for (0 .. number(2)) {
        push @lines, perhaps(60, matrix_access()), perhaps(80, 'fence.proxy.async');
        push @lines, refill($phase++) if chance(30);
        push @lines, perhaps(92, 'wgmma.fence.sync.aligned');
        for (0 .. number(2)) { push @lines, product(); }
        push @lines, perhaps(92, 'wgmma.commit_group.sync.aligned'), perhaps(20, matrix_access());
        push @lines, perhaps(90, 'wgmma.wait_group.sync.aligned ' . one(0, 0, 0, 1));
        push @lines, perhaps(50, 'add.u32 %r8, ' . one('%r0', '%r4') . ', 1'), perhaps(50, matrix_access());
    }
    my @other = perhaps(30, 'bar.sync 0', matrix_access());
    push @lines, perhaps(90, 'bar.sync 0') if @other;
    return "{ mbarrier m = 1; .global .align 16 .u32 g[4]; .shared .align 16 .u32 a[4]; .shared .align 16 .u32 b[4]; }\n" . table(['cta 0,cluster 0,gpu 0', 'cta 0,cluster 0,gpu 0'], @other ? (\@lines, \@other) : (\@lines));
}

# --- Tensor memory ----------------------------------------------------------------------------------

sub cell { return one('d', 'd', 'd', 'e'); }
sub tensor_product { return 'tcgen05.mma.cta_group::1.kind::i8 [' . one('d', 'd', 'e') . '], %rd0, %rd1, ' . one('0x04020020', '0x04020020', '0x04040020') . ', ' . one(0, 1); }
sub tensor_load { return ('tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r0}, [' . cell() . ']', perhaps(85, 'tcgen05.wait::ld.sync.aligned')); }
sub tensor_store { return ('tcgen05.st.sync.aligned.32x32b.x1.b32 [' . cell() . '], {%r1}', perhaps(85, 'tcgen05.wait::st.sync.aligned')); }
sub operand_access { return one('st.weak.shared.u8 [a], 2', 'ld.weak.shared.u8 %r9, [a]', 'st.weak.shared.u8 [b], 3'); }

# One thread multiplies and commits; another one, and itself, go on with what is in tensor memory.
sub tensors {
    my @first = ('mov.u64 %rd0, a', 'shr.u64 %rd0, %rd0, 4', 'mov.u64 %rd1, b', 'shr.u64 %rd1, %rd1, 4');
    my @second = ('mov.u32 %r1, 5');
    push @first, 'mov.u32 %r1, 5';
    my $resume = sub { return (perhaps(85, wait_for('m', $_[0] & 1, one('', '', '.relaxed.cta'))), perhaps(88, 'tcgen05.fence::after_thread_sync')); };
    for my $phase (0 .. number(2)) {
        push @first, perhaps(30, operand_access(), perhaps(80, 'fence.proxy.async'));
        push @first, perhaps(25, tensor_store());
        push @first, perhaps(25, 'tcgen05.cp.cta_group::1.4x256b [d], %rd0') if chance(30);
        for (0 .. number(2)) { push @first, tensor_product(); }
        push @first, 'tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [m]';
        push @second, $resume->($phase), one([tensor_load()], [tensor_load()], [tensor_store()], [operand_access()])->@*;
        push @second, perhaps(85, 'tcgen05.fence::before_thread_sync'), 'mbarrier.arrive.shared.b64 _, [n]';
        push @first, perhaps(40, $resume->($phase), perhaps(50, tensor_load()));
        push @first, perhaps(90, wait_for('n', $phase & 1, '')), perhaps(88, 'tcgen05.fence::after_thread_sync');
    }
    return "{ mbarrier m = 1; mbarrier n = 1; .shared .align 16 .u8 a[16]; .shared .align 16 .u8 b[16]; .tmem .b32 d[1] = {7}; .tmem .b32 e[1] = {7}; }\n"
        . table(['cta 0,cluster 0,gpu 0', 'cta 0,cluster 0,gpu 0'], \@first, \@second);
}

# --- Multicasts ------------------------------------------------------------------------------------

sub tile_access { return one('ld.weak.shared.u64 %rd5, [s]', 'ld.weak.shared.u64 %rd5, [s]', 'st.weak.shared.u64 [s], 5'); }

# Blocks that wait for what one of them sends to some, and say that they have read it.
sub multicasts {
    my (@first, @second);
    my $mask = one(3, 3, 2);
    for my $phase (0 .. number(2)) {
        my $wait = sub { wait_for('full', $phase & 1, chance(90) ? '.acquire.cluster' : '') };
        push @first, 'mbarrier.arrive.expect_tx.shared.b64 _, [full], 16' if $mask & 1;
        push @first, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], [g], 16, [full], $mask";
        push @first, $wait->(), perhaps(60, tile_access()) if $mask & 1;
        push @second, 'mbarrier.arrive.expect_tx.shared.b64 _, [full], 16';
        push @second, perhaps(90, $wait->()), perhaps(70, tile_access());
        push @second, 'mapa.shared::cluster.u32 %r3, empty, 0',
            'mbarrier.arrive' . (chance(88) ? '.release.cluster' : '') . '.shared::cluster.b64 _, [%r3]';
        push @first, perhaps(90, wait_for('empty', $phase & 1, chance(90) ? '.acquire.cluster' : '')),
            perhaps(85, 'fence.proxy.async');
    }
    if (chance(85)) {
        push @$_, 'barrier.cluster.arrive', 'barrier.cluster.wait' for \@first, \@second;
    }
    return "{ mbarrier full = 1; mbarrier empty = 1; .global .align 16 .u64 g[2]; .shared .align 16 .u64 s[2]; }\n"
        . table(['cta 0,cluster 0,gpu 0', 'cta 1,cluster 0,gpu 0'], \@first, \@second);
}

# --- Grids -----------------------------------------------------------------------------------------

sub data_access {
    my $place = one('x', 'y', 'g');
    return one("ld.weak.global.u64 %rd5, [$place]", "st.weak.global.u64 [$place], 1",
        one('ld', 'st') eq 'ld' ? 'ld.relaxed.gpu.global.u64 %rd5, [x]' : 'st.relaxed.gpu.global.u64 [x], 2');
}

sub bulk_access {
    return one('cp.async.bulk.global.shared::cta.bulk_group', 'cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64') . ' [g], [s], 16';
}

sub grid_lines {
    my ($depends) = @_;
    my @lines;
    push @lines, 'griddepcontrol.launch_dependents' if chance(15);
    push @lines, data_access() if chance($depends ? 15 : 60);
    push @lines, 'griddepcontrol.wait' if $depends && chance(80);
    push @lines, data_access() for 0 .. number(2);
    push @lines, perhaps(60, 'fence.proxy.async'), bulk_access(),
        perhaps(60, 'cp.async.bulk.commit_group', 'cp.async.bulk.wait_group 0') if chance(35);
    return \@lines;
}

sub grids {
    my $count = 2 + number(2);
    my (@places, @threads, @orders, @depends);
    for my $grid (1 .. $count - 1) {
        next unless chance(90);
        $depends[$grid] = chance(50);
        push @orders, "grid $grid after " . ($grid - 1) . ($depends[$grid] ? ' programmatic' : '') . ';';
    }
    for my $grid (0 .. $count - 1) {
        for my $thread (0 .. ($count == 2 ? number(2) : 0)) {
            push @places, "grid $grid,cta 0";
            push @threads, grid_lines($depends[$grid]);
        }
    }
    return "{ .global .u64 x = 0; .global .u64 y = 0; .global .align 16 .u64 g[2]; .shared .align 16 .u64 s[2]; @orders }\n"
        . table(\@places, @threads);
}

# --- Blocks that are cancelled ---------------------------------------------------------------------

# Blocks that take over the tiles of others, in clusters of one or two; a module with its launch.
sub cancels {
    my ($is_pair, $threads) = (chance(20), 1 + chance(35));
    my ($grid, $rounds) = ($is_pair ? 4 : 2 + chance(25), 1 + number(3));
    my $sync = $is_pair ? "    barrier.cluster.arrive;\n    barrier.cluster.wait;\n" : "    bar.sync 0;\n";
    my $asks = 'clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes'
        . ($is_pair ? '.multicast::cluster::all' : '') . '.b128 [answer], [full];';
    my $text = ".version 8.7\n.target sm_100a\n.address_size 64\n// PTXLITMUS global out[4]\n// PTXLITMUS global sum\n"
        . "// PTXLITMUS kernel k grid $grid block $threads" . ($is_pair ? ' cluster 2' : '') . "\n"
        . "// PTXLITMUS arg 0 = &out\n// PTXLITMUS arg 1 = &sum\n";
    my @lines = ('@%p0 bra MADE', 'mbarrier.init.shared.b64 [full], 1', 'fence.mbarrier_init.release.cluster', 'MADE:');
    push @lines, chance(92) ? $sync : ();
    push @lines, 'TILE:', perhaps(94, '@%p0 bra EXPECTED'), perhaps(85, 'fence.proxy.async');
    push @lines, 'mbarrier.arrive.expect_tx.shared.b64 _, [full], 16', 'EXPECTED:', perhaps(95, '@%p1 bra ASKED'), $asks, 'ASKED:';
    push @lines, 'and.b32 %r0, %r0, 3', 'mul.wide.u32 %rd1, %r0, 4', 'add.u64 %rd1, %rd1, %out';
    push @lines, one('st.global.u32 [%rd1], %r0', 'st.global.u32 [%rd1], 1', 'red.relaxed.gpu.global.add.u32 [%rd1], 1', 'ld.global.u32 %r5, [%rd1]');
    push @lines, perhaps(20, 'red.relaxed.gpu.global.add.u32 [%sum], 1');
    my $order = $is_pair && chance(92) ? '.acquire.cluster' : '';
    push @lines, 'WAIT:', "mbarrier.try_wait.parity$order.shared.b64 %p2, [full], %r1", chance(95) ? '@!%p2 bra WAIT' : ();
    push @lines, 'xor.b32 %r1, %r1, 1', chance(60) ? 'ld.shared.b128 %q, [answer]' : ('ld.shared.v2.b64 {%rd2, %rd3}, [answer]', 'mov.b128 %q, {%rd2, %rd3}');
    push @lines, 'clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %q', chance(85) ? $sync : ();
    push @lines, perhaps(88, '@!%p3 bra DONE'), 'add.u32 %r2, %r2, 1', "setp.ge.u32 %p4, %r2, $rounds", perhaps(60, '@%p4 bra DONE');
    push @lines, chance(90) ? 'clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %r0, %q' : ('add.u32 %r0, %r0, 1');
    push @lines, 'add.u32 %r0, %r0, %r3', 'setp.lt.u32 %p4, %r2, 3', '@%p4 bra TILE', 'DONE:', chance(90) ? $sync : ();
    return $text . ".visible .entry k(.param .u64 out, .param .u64 sum) {
    .reg .b32 %r<8>; .reg .b64 %rd<8>, %out, %sum; .reg .b128 %q; .reg .pred %p<6>;
    .shared .align 16 .b8 answer[16]; .shared .align 8 .b64 full;
    ld.param.u64 %out, [out]; ld.param.u64 %sum, [sum];
    mov.u32 %r0, %ctaid.x; mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, %cluster_ctarank; mov.u32 %r4, %tid.x;
    setp.ne.u32 %p0, %r4, 0; setp.ne.u32 %p1, %r3, 0; or.pred %p1, %p1, %p0;
" . join('', map { /^ |:$|;\n$/ ? "$_" . (/\n$/ ? '' : "\n") : "    $_" . (/;$/ ? '' : ';') . "\n" } @lines) . "    ret;\n}\n";
}

# --- Both methods ----------------------------------------------------------------------------------

my %kinds = (products => \&products, multicasts => \&multicasts, grids => \&grids, tensors => \&tensors, cancels => \&cancels);
my (%decided, %all, @paths);
for my $i (1 .. $count) {
    my $kind = (sort keys %kinds)[$i % keys %kinds];
    $labels = 0;
    my $text = $kinds{$kind}->();
    my $is_module = $text =~ /^\.version/;
    my $path = sprintf '%s/%s-%05d.%s', $folder, $kind, $i, $is_module ? 'ptx' : 'litmus';
    open my $out, '>', $path or die "$path: $!\n";
    print $out $is_module ? $text : "PTX $kind-$i\n${text}exists (true)\n";
    close $out;
    push @paths, [$path, $kind];
}
my ($differ, $free, $faulty) = (0, 0, 0);
for my $test (@paths) {
    my ($path, $kind) = @$test;
    my $run = `$build/ptxlitmus check --method run $path 2>&1`;
    my $both = `$build/ptxlitmus check --method both --no-fix --timeout 10 $path 2>&1`;
    $all{$kind}++;
    my $found = $run =~ /found by running/;
    $decided{$kind} += $found;
    $free += $found && $run =~ /: free of/;
    $faulty += $found && $run =~ /: not free of/;
    if ($both =~ /a run of it says|\bbug\b|Sanitizer/ || ($both =~ /error:/ && $both !~ /undecided/)) {
        $differ++;
        print "$path: $both";
    }
}
my @undecided = grep { !$decided{$_} } keys %all;
printf "%-12s %d of %d\n", $_, $decided{$_} // 0, $all{$_} for sort keys %all;
print "$free free, $faulty faulty, of $count; $differ differ\n";
system 'rm', '-rf', $folder unless defined $keep;
exit($differ > 0 || @undecided > 0 ? 1 : 0);
