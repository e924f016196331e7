#!/usr/bin/perl
# How long whole launches take: kernels of our own, all of whose threads are run, with their processor time, their memory, and
# the ratio to a loop that executes the same instructions and knows nothing of order (plain_run.c).
#
#   tests/bench/launches.pl BUILD [--quick | --long]
#
# Prints a table. Status 1 where an answer is not "free", or where the loop executes another number of instructions. With
# --quick small sizes alone, whose times say nothing; with --long 10^9 instructions, too, which take minutes.
use strict;
use warnings;

my ($build, $size) = (@ARGV, '');
die "usage: launches.pl BUILD [--quick | --long]\n" unless defined $build && $size =~ /^(--quick|--long|)$/;
my $quick = $size eq '--quick';
my $folder = "/tmp/ptxlitmus-bench-launches-$$";
mkdir $folder or die "$folder: $!\n";

sub module {
    my ($blocks, $threads, $words, $variables, $code) = @_;
    return <<"END";
.version 8.6
.target sm_90a
.address_size 64
// PTXLITMUS global out[$words]
// PTXLITMUS kernel k grid $blocks block $threads
// PTXLITMUS arg 0 = &out
$variables
.visible .entry k(.param .u64 out)
{
  .reg .b32 %t, %b, %n, %a, %c, %i, %s, %v; .reg .b64 %out, %o; .reg .pred %p, %q;
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mov.u32 %n, %ntid.x;
  mad.lo.u32 %n, %b, %n, %t;
  ld.param.u64 %out, [out];
  mov.u32 %i, 0;
  mov.u32 %s, 0;
$code
  ret;
}
END
}

# 64 threads fill two buffers that 256 threads read, in turns, by named barriers: four phases in a round. (The first kind of
# kernel of Weft: Sharma, Bauer, Aiken, PLDI 2015.)
sub buffers {
    my ($rounds, $blocks) = @_;
    my $last = $rounds - 1;
    my $read = join '', map { <<"END" } 0, 1;
  bar.sync @{[1 + $_]}, 320;
  ld.shared.u32 %v, [%a+@{[256 * $_]}];
  mad.lo.u32 %s, %s, 3, %v;
  xor.b32 %s, %s, %i;
  \@%p bar.arrive @{[3 + $_]}, 320;
END
    my $fill = join '', map { <<"END" } 0, 1;
  bar.sync @{[3 + $_]}, 320;
  mad.lo.u32 %v, %i, 5, %t;
  xor.b32 %v, %v, $_;
  st.shared.u32 [%a+@{[256 * $_]}], %v;
  bar.arrive @{[1 + $_]}, 320;
END
    return module($blocks, 320, 320 * $blocks, '.shared .align 4 .b32 buffers[128];', <<"END");
  and.b32 %a, %t, 63;
  shl.b32 %a, %a, 2;
  mov.u32 %c, buffers;
  add.u32 %a, %a, %c;
  setp.ge.u32 %p, %t, 256;
  \@%p bra FILL;
  bar.arrive 3, 320;
  bar.arrive 4, 320;
READ:
  setp.lt.u32 %p, %i, $last;
$read  add.u32 %i, %i, 1;
  setp.lt.u32 %q, %i, $rounds;
  \@%q bra READ;
  bra DONE;
FILL:
$fill  add.u32 %i, %i, 1;
  setp.lt.u32 %q, %i, $rounds;
  \@%q bra FILL;
DONE:
  mul.wide.u32 %o, %n, 4;
  add.u64 %out, %out, %o;
  st.global.u32 [%out], %s;
END
}

# Each thread stores a word of shared memory and reads its neighbour's, between barriers.
sub neighbours {
    my ($rounds, $blocks, $threads) = @_;
    my $most = 4 * $threads - 1;
    return module($blocks, $threads, 1, ".shared .align 4 .b32 words[$threads];", <<"END");
  shl.b32 %a, %t, 2;
  add.u32 %c, %a, 4;
  and.b32 %c, %c, $most;
  mov.u32 %v, words;
  add.u32 %a, %a, %v;
  add.u32 %c, %c, %v;
ROUND:
  st.shared.u32 [%a], %i;
  bar.sync 0;
  ld.shared.u32 %v, [%c];
  bar.sync 0;
  add.u32 %i, %i, 1;
  setp.lt.u32 %q, %i, $rounds;
  \@%q bra ROUND;
END
}

# Each thread writes 64 bytes of its own.
sub writers {
    my ($blocks, $threads) = @_;
    return module($blocks, $threads, $blocks * $threads * 16, '', <<"END");
  mul.wide.u32 %o, %n, 64;
  add.u64 %out, %out, %o;
WORD:
  st.global.u32 [%out], %i;
  add.u64 %out, %out, 4;
  add.u32 %i, %i, 1;
  setp.lt.u32 %q, %i, 16;
  \@%q bra WORD;
END
}

# What a command prints, and its processor seconds and the most memory that it has, in MB.
sub measure {
    my @command = @_;
    my $measure = 'import resource, subprocess, sys; subprocess.run(sys.argv[1:]); '
        . 'used = resource.getrusage(resource.RUSAGE_CHILDREN); '
        . 'print("used", used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)';
    open my $pipe, '-|', 'python3', '-c', $measure, @command or die "python3: $!\n";
    my $text = join '', <$pipe>;
    close $pipe;
    my ($seconds, $peak) = $text =~ /^used ([\d.e-]+) ([\d.]+)$/m;
    return ($text, $seconds, $peak);
}

my $failures = 0;
sub fail {
    print STDERR "FAIL: @_\n";
    $failures++;
}

sub row {
    my ($name, $text) = @_;
    my $path = "$folder/k.ptx";
    open my $file, '>', $path or die "$path: $!\n";
    print $file $text;
    close $file;
    my ($said, $seconds, $peak) = measure("$build/ptxlitmus", qw(check --method run --timeout 300 --format json), $path);
    fail("$name: $said") unless $said =~ /"decides":true/ && $said =~ /"flags":\[\],/;
    my ($threads, $executed) = $said =~ /"threads":(\d+),"instructions":(\d+)/;
    my ($plain_executed, $plain_seconds) = split ' ', `$build/tests/bench/ptxlitmus-plain-run $path`;
    fail("$name: $executed instructions, but the loop executes " . ($plain_executed // 'none'))
        unless ($plain_executed // 0) == $executed;
    my $ratio = $plain_seconds > 0.02 ? sprintf '%.1f', $seconds / $plain_seconds : '';
    $executed =~ s/(?<=\d)(?=(?:\d{3})+$)/,/g;
    printf "| %s | %d | %s | %.2f | %.0f | %s |\n", $name, $threads, $executed, $seconds, $peak, $ratio;
}

print "| kernel | threads | instructions | seconds | MB | ratio |\n| --- | ---: | ---: | ---: | ---: | ---: |\n";
for my $rounds ($quick ? (20) : (226, 2262, 22620, $size ? 226200 : ())) {
    row('two buffers, ' . 4 * $rounds . ' phases', buffers($rounds, 1));
}
row("two buffers, 8 blocks", buffers($quick ? 5 : 2262, 8));
for my $threads ($quick ? (64) : (64, 256, 1024)) {
    row("neighbours, $threads threads", neighbours($quick ? 10 : 1000, 1, $threads));
}
for my $blocks ($quick ? (2) : (2, 4, 8)) {
    row("neighbours, $blocks blocks", neighbours($quick ? 2 : 1000, $blocks, $quick ? 64 : 1024));
}
row('64 bytes each', writers($_, $quick ? 64 : 1024)) for $quick ? (2) : (1, 8);
system 'rm', '-rf', $folder;
exit($failures > 0 ? 1 : 0);
