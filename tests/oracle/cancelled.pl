#!/usr/bin/env perl
# Random kernels whose CTAs ask for the launch of others to be cancelled: ptxlitmus against the oracle, which takes for each CTA
# the execution without it. Those that the oracle does not finish in its number of steps are left out.
#
# usage: cancelled.pl BUILD [COUNT [FIRST]]
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP;

my $build = shift // die "usage: cancelled.pl BUILD [COUNT [FIRST]]\n";
my $count = shift // 20;
my $first = shift // 1;
my $work = tempdir(CLEANUP => 1);

sub pick { return $_[int rand @_] }

# An access by which CTAs communicate, or a fence.
sub access {
    my $scope = pick('cta', 'gpu', 'gpu');
    return pick(
        "st.relaxed.$scope.global.u32 [x], " . pick(1, 2),
        "ld.relaxed.$scope.global.u32 %r5, [x]; st.weak.global.u32 [%rd7], %r5",
        "red.relaxed.$scope.global.add.u32 [y], 1",
        "st.release.$scope.global.u32 [y], %r1",
        "ld.acquire.$scope.global.u32 %r5, [y]; st.weak.global.u32 [%rd7], %r5",
        'fence.' . pick('acq_rel', 'sc') . ".$scope");
}

# The number of the CTA that an answer names, by its numbers in the dimensions of the grid.
sub named {
    my ($columns, $rows) = @_;
    my $text = pick(
        join('', map { 'clusterlaunchcontrol.query_cancel.get_first_ctaid::' . qw(x y z)[$_] . ".b32.b128 %n$_, %q1; " } 0 .. 2),
        'clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%n0, %n1, %n2, %n3}, %q1; ');
    return $text . "mad.lo.u32 %n1, %n2, $rows, %n1; mad.lo.u32 %r2, %n1, $columns, %n0; ";
}

# What a CTA does with the answer: tells it, or does what the other CTA would have done.
sub use_answer {
    my ($columns, $rows) = @_;
    return pick(
        '@%p2 st.relaxed.gpu.global.u32 [x], 3',
        '@%p2 red.relaxed.gpu.global.add.u32 [y], 1',
        'selp.b32 %r2, 1, 0, %p2; st.weak.global.u32 [%rd8], %r2',
        '@!%p2 bra Skip; ' . named($columns, $rows) . 'mul.wide.u32 %rd5, %r2, 4; '
            . 'add.u64 %rd6, %rd1, %rd5; red.relaxed.gpu.global.add.u32 [%rd6], 1');
}

sub kernel {
    my ($block, $columns, $rows) = @_;
    my @lines;
    push @lines, access() if rand() < 0.6;
    push @lines, '@!%p4 bra Skip' if rand() < 0.35; # only CTA 0 asks
    push @lines, '@!%p3 bra Skip' if $block == 2;
    push @lines, 'mbarrier.arrive.expect_tx.shared.b64 _, [m], 16' if rand() < 0.9;
    push @lines, 'clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer], [m]';
    push @lines, 'mbarrier.test_wait.parity' . (rand() < 0.2 ? '.relaxed.cta' : '') . '.shared.b64 %p1, [m], 0';
    push @lines, '@!%p1 bra Skip', 'ld.shared.b128 %q1, [answer]';
    push @lines, 'clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q1', use_answer($columns, $rows);
    my $text = join '', map { "  $_;\n" } @lines;
    $text .= "Skip:\n" . ($block == 2 && rand() < 0.4 ? "  bar.sync 0;\n" : '');
    $text .= '  ' . access() . ";\n" if rand() < 0.6;
    return $text;
}

sub module {
    my $grid = pick(2, 2, 2, 2, 2, 3);
    # In which dimension the CTAs are.
    my ($columns, $rows) = @{pick([$grid, 1], [1, $grid], [1, 1])};
    my $extents = join ',', $columns, $rows, $grid / ($columns * $rows);
    my $block = $grid == 3 ? 1 : pick(1, 1, 1, 2);
    my ($threads, $body) = ($grid * $block, kernel($block, $columns, $rows));
    my ($one, $together) = $block == 2 ? ('@%p3 ', 'bar.sync 0;') : ('', '');
    return <<"END";
// PTXLITMUS global x
// PTXLITMUS global y
// PTXLITMUS global done[$grid]
// PTXLITMUS global seen[$threads]
// PTXLITMUS global told[$threads]
// PTXLITMUS kernel k grid $extents block $block
// PTXLITMUS arg 0 = &done
// PTXLITMUS arg 1 = &seen
// PTXLITMUS arg 2 = &told
// PTXLITMUS exists (x == 1 /\\ y == 1 /\\ done[0] == 0 /\\ done[1] == 1 /\\ seen[0] == 1 /\\ seen[$block] == 0 /\\ told[0] == 0 /\\ told[$block] == 1)
.version 8.7
.target sm_100
.address_size 64
.global .u32 x_, y_;
.visible .entry k(.param .u64 done, .param .u64 seen, .param .u64 told) {
  .reg .b32 %r<8>, %n<4>;
  .reg .b64 %rd<9>;
  .reg .b128 %q<2>;
  .reg .pred %p<5>;
  .shared .align 16 .b8 answer[16];
  .shared .align 8 .b64 m;
  ld.param.u64 %rd1, [done];
  ld.param.u64 %rd2, [seen];
  ld.param.u64 %rd3, [told];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %n0, %ctaid.y;
  mov.u32 %n1, %ctaid.z;
  mad.lo.u32 %n0, %n1, $rows, %n0;
  mad.lo.u32 %r1, %n0, $columns, %r1;
  mov.u32 %r3, %tid.x;
  setp.eq.u32 %p3, %r3, 0;
  setp.eq.u32 %p4, %r1, 0;
  mad.lo.u32 %r4, %r1, $block, %r3;
  mul.wide.u32 %rd4, %r4, 4;
  add.u64 %rd7, %rd2, %rd4;
  add.u64 %rd8, %rd3, %rd4;
  ${one}mbarrier.init.shared.b64 [m], 1;
  fence.proxy.async.shared::cta;
  $together
$body  ret;
}
END
}

# The verdict, the states and the flags that are not of readings. Which bits there are in what is read in flight is open.
sub results {
    my ($text) = @_;
    my $result = decode_json($text);
    my @flags = sort grep { !/reading/ } @{$result->{flags}};
    my $undefined = grep { $_ eq 'async-undefined' } @flags;
    my $json = JSON::PP->new->canonical;
    my @states = $undefined ? () : sort map { $json->encode($_) } @{$result->{states}};
    return ($result->{complete}, join "\n", $result->{verdict}, "@flags", @states);
}

my ($compared, $cancelled, $differ) = (0, 0, 0);
for my $n ($first .. $first + $count - 1) {
    srand $n;
    my $file = "$work/$n.ptx";
    (my $text = module()) =~ s/\[([xy])\]/[$1_]/g;
    $text =~ s/\bx == 1/x_ == 1/;
    $text =~ s/\by == 1/y_ == 1/;
    $text =~ s/^.*global [xy]\n//mg;
    open my $out, '>', $file or die "$file: $!\n";
    print $out $text;
    close $out or die "$file: $!\n";
    my ($done, $oracle) = results(scalar `'$build/tests/oracle/ptxlitmus-oracle' --limit 400000 $file`);
    next unless $done;
    my (undef, $solver) = results(scalar `'$build/ptxlitmus' --format json $file 2>/dev/null`);
    $compared++;
    $cancelled++ if $oracle =~ /"(done|told)\[\d\]":1|"x_":3/;
    next if $oracle eq $solver;
    $differ++;
    print "$n differs: the oracle says\n$oracle\nand ptxlitmus\n$solver\nof\n$text\n";
}
print "$compared of $count kernels compared, in $cancelled of which a CTA is seen to be cancelled\n";
die "there should be more\n" if $compared * 3 < $count || $cancelled * 8 < $compared;
exit($differ > 0);
