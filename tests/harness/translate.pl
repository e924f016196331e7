#!/usr/bin/perl
# Turns CUDA into C++ for the emulated GPU (emulated/): asm statements become calls of the interpreter, and
# dynamic shared memory is that of the emulated CTA. All else is CUDA as it is.
#
# usage: translate.pl [--ptx] FILE > FILE    --ptx: the asm statements alone, marked as in the PTX of nvcc
use strict;
use warnings;

my $wants_ptx = $ARGV[0] eq '--ptx' && shift @ARGV;
local $/;
open my $in, '<', $ARGV[0] or die "$ARGV[0]: $!\n";
my $text = <$in>;

# The parts of an asm statement: its text, outputs, inputs and what it changes. ":" within quotes or parentheses
# does not part them.
sub parts {
    my ($inside) = @_;
    my @parts = ('');
    my $depth = 0;
    while ($inside =~ /\G("(?:[^"\\]|\\.)*"|::|[():]|[^"():]+)/gs) {
        my $token = $1;
        if ($depth == 0 && $token eq ':') { push @parts, ''; next }
        if ($depth == 0 && $token eq '::' && @parts < 4) { push @parts, '', ''; next }
        $depth++ if $token eq '(';
        $depth-- if $token eq ')';
        $parts[-1] .= $token;
    }
    return @parts;
}

# "=r"(a), "=l"(b) to emulated::out(a), emulated::out(b)
sub operands {
    my ($list, $call) = @_;
    my @items;
    while ($list =~ /"[^"]*"(\((?:[^()]++|(?1))*\))/gs) { push @items, "emulated::$call$1" }
    return @items;
}

sub translated {
    my ($inside) = @_;
    my ($template, $outputs, $inputs) = parts($inside);
    my @all = (operands($outputs // '', 'out'), operands($inputs // '', 'in'));
    $template =~ s/%%/%/g if @all; # without operands, '%' stands for itself
    return "emulated::assembly($template, {" . join(', ', @all) . '})';
}

# A string literal, or several, as the text that it is.
sub unquoted {
    my $result = '';
    while ($_[0] =~ /"((?:[^"\\]|\\.)*)"/gs) { $result .= $1 }
    $result =~ s/\\n/\n/g;
    $result =~ s/\\t/\t/g;
    $result =~ s/%%/%/g;
    return $result;
}

if ($wants_ptx) {
    while ($text =~ /asm volatile(\((?:[^()"]++|"(?:[^"\\]|\\.)*"|(?1))*\))/gs) {
        my ($template) = parts(substr($1, 1, -1));
        print "\t// begin inline asm\n\t", unquoted($template), "\n\t// end inline asm\n";
    }
    exit;
}

$text =~ s/asm volatile(\((?:[^()"]++|"(?:[^"\\]|\\.)*"|(?1))*\))/translated(substr($1, 1, -1))/gse;
$text =~ s/extern __shared__ __align__\(128\) unsigned char (\w+)\[\];/unsigned char *$1 = emulated::shared_base();/g;
die "an asm statement is left\n" if $text =~ /\basm\b\s*volatile/;
print $text;
