#!/usr/bin/perl
# Kernels of the shapes that people write, with all their threads: right, and with three faults each. `check` calls the right
# ones free, and finds each fault.
#
#   tests/launch/shapes.pl BUILD [NAME...]
#
# Prints a table: how many threads, how the right one was decided, what was found of each fault, the processor time of the
# slowest of the four and the memory of the largest. Status 1 where a right kernel is not free, or a fault is not found.
#
# The kernels are in shapes.txt: `kernel NAME`, then `launch` lines for the manifest, `shared` and `global` lines for
# variables, and code. A line that begins with <1> is left out where the first fault is in; <1:CODE> is CODE then, and
# <1+> is there only then.
use strict;
use warnings;
use FindBin;
use Time::HiRes 'time';

my ($build, @names) = @ARGV;
die "usage: shapes.pl BUILD [NAME...]\n" unless defined $build;
my $folder = "/tmp/launch-shapes-$$";
mkdir $folder or die "$folder: $!\n";

my (%shapes, @order);
open my $in, '<', "$FindBin::Bin/shapes.txt" or die "shapes.txt: $!\n";
while (<$in>) {
    next if /^\s*(#|$)/;
    chomp;
    if (/^kernel (\w+)$/) {
        push @order, $1;
        $shapes{$1} = {launch => [], variables => [], code => []};
        next;
    }
    my $shape = $shapes{$order[-1]};
    if (/^launch (.*)/) { push $shape->{launch}->@*, $1; }
    elsif (/^(shared|global) (.*)/) { push $shape->{variables}->@*, $1 eq 'shared' ? ".shared $2;" : ".visible .global $2;"; }
    else { push $shape->{code}->@*, $_; }
}
close $in;

# The code with a fault, or with none (0).
sub code_with {
    my ($shape, $fault) = @_;
    my @lines;
    for ($shape->{code}->@*) {
        my ($line, %instead) = ($_);
        if ($line =~ s/^\s*<(\d)\+>\s*//) {
            push @lines, $line if $1 == $fault;
            next;
        }
        $instead{$1} = $2 // '' while $line =~ s/^\s*<(\d)(?::([^>]*))?>\s*//;
        push @lines, $instead{$fault} // $line;
    }
    return join "\n", @lines;
}

sub write_module {
    my ($name, $fault) = @_;
    my $shape = $shapes{$name};
    my $path = "$folder/$name-$fault.ptx";
    my $code = code_with($shape, $fault);
    my $manifest = join '', map { "// PTXLITMUS $_\n" } $shape->{launch}->@*;
    my $body = $code =~ /\.entry/ ? '' : 1;
    my $variables = join "\n", $shape->{variables}->@*;
    open my $out, '>', $path or die "$path: $!\n";
    my $target = $code =~ /tcgen05|clusterlaunchcontrol/ ? ".version 8.7\n.target sm_100a" : ".version 8.6\n.target sm_90a";
    print $out "$target\n.address_size 64\n$manifest$variables\n";
    print $out entry('k', $code) if $body;
    print $out join '', map { /^(\w+)\n(.*)/s ? entry($1, $2) : () } split /^\.entry /m, $code unless $body;
    close $out;
    return $path;
}

# A kernel: %t is the number of the thread in its block, %b that of the block, %w of its warp, %l of the lane; %in and %out are
# its parameters.
sub entry {
    my ($name, $code) = @_;
    return <<"END";
.visible .entry $name(.param .u64 in, .param .u64 out)
{
  .reg .b32 %t, %b, %w, %l, %n, %r<40>, %d<8>; .reg .b64 %in, %out, %rd<20>; .reg .pred %p<8>;
  ld.param.u64 %in, [in];
  ld.param.u64 %out, [out];
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  mov.u32 %n, %nctaid.x;
  shr.u32 %w, %t, 5;
  and.b32 %l, %t, 31;
$code
  ret;
}
END
}

# What `check` says, in seconds of the processor and MiB.
sub check {
    my ($path) = @_;
    my @before = times;
    my $text = `$build/ptxlitmus check --no-fix --timeout 60 $path 2>&1`;
    my @after = times;
    return ($text, $after[2] + $after[3] - $before[2] - $before[3]);
}

sub verdict_of {
    my ($text) = @_;
    return 'free' if $text =~ /: free of/;
    return $1 if $text =~ /^  (hang|data-race|mixed-size-race|[\w-]+-misuse|async-undefined|exited-cta)/m;
    return 'not decided';
}

my $failures = 0;
print "| shape | threads | right | fault 1 | fault 2 | fault 3 | seconds |\n| --- | --- | --- | --- | --- | --- | --- |\n";
for my $name (@names ? @names : @order) {
    my ($most, @cells, $threads) = (0);
    for my $fault (0 .. 3) {
        my ($text, $seconds) = check(write_module($name, $fault));
        my $verdict = verdict_of($text);
        $most = $seconds if $seconds > $most;
        ($threads) = $text =~ /running all (\d+) threads/ if $fault == 0;
        my ($orders, $of) = $text =~ /threads (\d+) times, (for)?/;
        my $is_right = $fault == 0 ? $verdict eq 'free' && $text =~ /found by running/ : $verdict !~ /free|not decided/;
        unless ($is_right) {
            $failures++;
            print STDERR "FAIL: $name, fault $fault: $text\n";
        }
        push @cells, $verdict . ($fault == 0 && $orders ? ", $orders " . ($of ? 'ways' : 'orders') : '');
    }
    printf "| %s | %s | %s | %.1f |\n", $name, $threads // '?', join(' | ', @cells), $most;
}
system 'rm', '-rf', $folder unless $ENV{KEEP};
exit($failures > 0 ? 1 : 0);
