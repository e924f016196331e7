#!/usr/bin/env perl
# Every place where an operator can put a fault into the sources of the four rooms.
#
# usage: sites.pl FOLDER     (FOLDER holds the tree; paths are relative to it)
#
# Prints one line per site, fields separated by tabs: operator, file, line, byte offset, length of what is replaced,
# what replaces it, what is replaced. Comments, strings and preprocessor lines of C are left alone, and so are
# assertions and messages (bug, diag_*), which no outcome depends on. One offset may have several sites.
use strict;
use warnings;
use File::Find;

chdir($ARGV[0] // die "usage: sites.pl FOLDER\n") or die "$ARGV[0]: $!\n";

my %neighbour; # constant of an enumeration => the next one of it

sub read_file {
    my ($path) = @_;
    open my $in, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$in>;
}

# The text with comments, strings, characters and preprocessor lines as blanks of the same length.
sub masked {
    my ($text) = @_;
    $text =~ s{(/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')}
              {my $part = $1; $part =~ s/[^\n]/ /g; $part}gse;
    $text =~ s{^([ \t]*\#(?:[^\n]*\\\n)*[^\n]*)}{my $part = $1; $part =~ s/[^\n]/ /g; $part}gme;
    # calls whose arguments are for people, up to their ';'
    $text =~ s{\b((?:bug|assert|_Static_assert|diag_\w+|error_\w+)\s*\([^;]*;)}
              {my $part = $1; $part =~ s/[^\n]/ /g; $part}gse;
    return $text;
}

# Neighbours in every enumeration of the headers, the last one's being the first.
sub read_enumerations {
    for my $path (@_) {
        my $text = masked(read_file($path));
        while ($text =~ /\benum\s+\w*\s*\{([^{}]*)\}/g) {
            my @names = grep { /^[A-Z][A-Z0-9_]+$/ }
                map { my $one = $_; $one =~ s/=.*//s; $one =~ s/\s+//g; $one } split /,/, $1;
            next if @names < 2;
            $neighbour{ $names[$_] } = $names[ ($_ + 1) % @names ] for 0 .. $#names;
        }
    }
}

my ($path, $text, @line_starts);

sub line_of {
    my ($offset) = @_;
    my ($low, $high) = (0, scalar @line_starts);
    while ($high - $low > 1) {
        my $middle = int(($low + $high) / 2);
        if ($line_starts[$middle] <= $offset) { $low = $middle } else { $high = $middle }
    }
    return $low + 1;
}

sub site {
    my ($operator, $offset, $length, $replacement) = @_;
    my $original = substr($text, $offset, $length);
    return if $original eq $replacement || $original =~ /[\t\n]/ || $replacement =~ /[\t\n]/;
    print join("\t", $operator, $path, line_of($offset), $offset, $length, $replacement, $original), "\n";
}

# The offset after the bracket that closes the one at `offset`, or -1.
sub after_bracket {
    my ($mask, $offset) = @_;
    my $depth = 0;
    for (my $at = $offset; $at < length $mask; $at++) {
        my $c = substr($mask, $at, 1);
        $depth++ if $c eq '(' || $c eq '[';
        $depth-- if $c eq ')' || $c eq ']';
        return $at + 1 if $depth == 0;
        return -1 if $c eq ';' && $depth == 1 && substr($mask, $offset, 1) ne '(';
    }
    return -1;
}

# f(a, b): two neighbouring arguments that are plain enough to be of one type.
sub swap_arguments {
    my ($mask) = @_;
    my $plain = qr/[A-Za-z_][\w.]*(?:->[\w.]+)*(?:\[\w+\])?/;
    while ($mask =~ /\b[a-z_]\w*\((?=([^()\n;{}]*)\))/g) {
        my $inside = $1;
        my $begin = pos $mask;
        while ($inside =~ /(?:^|,)\s*(?=($plain)\s*,\s*($plain)\s*(?:,|$))/g) {
            my ($first, $second) = ($1, $2);
            my $at = $begin + pos $inside;
            my $whole = substr($mask, $at);
            next if $first eq $second || $whole !~ /^(\Q$first\E)(\s*,\s*)(\Q$second\E)/;
            site('swap-arguments', $at, length("$1$2$3"), "$3$2$1");
        }
    }
}

sub c_sites {
    my $mask = masked($text);
    my %other = ('<' => '<=', '<=' => '<', '>' => '>=', '>=' => '>', '==' => '!=', '!=' => '==');
    while ($mask =~ /\b(?:if|while)\s*(\()/g) {
        my $open = $-[1];
        my $after = after_bracket($mask, $open);
        next if $after < 0;
        my $inside = substr($text, $open + 1, $after - $open - 2);
        site('negate-condition', $open, $after - $open, "(!($inside))");
    }
    while ($mask =~ /(&&|\|\|)/g) {
        site('and-or', $-[1], 2, $1 eq '&&' ? '||' : '&&');
    }
    while ($mask =~ / (<=|>=|<|>) /g) {
        site('relation', $-[1], length $1, $other{$1});
    }
    while ($mask =~ / (==|!=) /g) {
        site('equality', $-[1], 2, $other{$1});
    }
    while ($mask =~ /(?<![\w.])(\d+)(?![\w.])/g) {
        site('constant', $-[1], length $1, $1 + 1);
        site('constant', $-[1], length $1, $1 - 1) if $1 > 1;
    }
    # a statement that is a call or an assignment and has a line of its own
    while ($mask =~ /^([ ]{4,})((?:[a-z_][\w.>\-\[\]]*\([^\n]*\)|[*a-z_][\w.>\-\[\]]*(?:\([^()\n]*\))? (?:[-+*\/|&^]|<<|>>)?= [^\n]*|[a-z_][\w.>\-\[\]]*(?:\+\+|--)));$/mg) {
        my ($statement, $begin) = ($2, $-[2]);
        next if $statement =~ /^(?:return|goto|case|default|sizeof)\b/ || $statement =~ /\($/;
        site('drop-statement', $begin, length $statement, '(void)0');
    }
    while ($mask =~ /\b(return\b[^;\n]*|continue|break);\n(?![ ]*\n?\})/g) {
        site('drop-jump', $-[1], length $1, '(void)0');
    }
    swap_arguments($mask);
    while ($mask =~ /( [-+] 1)\b(?!\s*[.\w])/g) {
        site('drop-plus-one', $-[1], length $1, '');
    }
    while ($mask =~ /[\w)\]] ([-+]) [\w(]/g) {
        site('arithmetic', $-[1], 1, $1 eq '+' ? '-' : '+');
    }
    while ($mask =~ /\b(true|false)\b/g) {
        site('boolean', $-[1], length $1, $1 eq 'true' ? 'false' : 'true');
    }
    while ($mask =~ /\b([A-Z][A-Z0-9_]+)\b/g) {
        site('neighbour', $-[1], length $1, $neighbour{$1}) if $neighbour{$1};
    }
    while ($mask =~ /(?<![\w)\]] )(?<![\w)\]])-(?=[a-z_])/g) {
        site('sign', $-[0], 1, '') if substr($mask, $+[0], 1) ne '-' && substr($mask, $+[0], 1) ne '>';
    }
    while ($mask =~ /(?<=[(, =&|])(!)(?=[a-z_(])/g) {
        site('drop-not', $-[1], 1, '');
    }
    while ($mask =~ / ([&|]|<<|>>) (?=[\w(~])/g) {
        my %bits = ('&' => '|', '|' => '&', '<<' => '>>', '>>' => '<<');
        site('bits', $-[1], length $1, $bits{$1});
    }
    while ($mask =~ / ([-+|&])(=) /g) {
        my %assign = ('+' => '-', '-' => '+', '|' => '&', '&' => '|');
        site('assignment', $-[1], 1, $assign{$1});
    }
}

# A union or an intersection keeps its other members: `a | b` becomes `a`. Members are names, or what brackets hold.
sub cat_sites {
    my $mask = $text;
    $mask =~ s{(\(\*.*?\*\)|//[^\n]*|\#[^\n]*|"[^"\n]*")}{my $part = $1; $part =~ s/[^\n]/ /g; $part}gse;
    my $member = qr/~?(?:[A-Za-z_][\w.-]*|\[[^\]\n]*\]|\([^()\n]*\))(?:\^-1|[+*?])?/;
    while ($mask =~ /(\s[|]\s*$member)/g) {
        site('cat-union', $-[1], length $1, '');
    }
    while ($mask =~ /(\s[&]\s*$member)/g) {
        site('cat-intersection', $-[1], length $1, '');
    }
    while ($mask =~ /(~)(?=[A-Za-z_(\[])/g) {
        site('cat-complement', $-[1], 1, '');
    }
    while ($mask =~ /(\^-1)/g) {
        site('cat-inverse', $-[1], 3, '');
    }
    while ($mask =~ /(?<=[\w)\]])([+*?])(?=[\s)\]]|$)/gm) {
        site('cat-closure', $-[1], 1, '');
    }
    while ($mask =~ /\s(;)\s/g) {
        site('cat-sequence', $-[1], 1, '|');
    }
    while ($mask =~ /\b(acyclic|irreflexive|empty)\b/g) {
        site('cat-axiom', $-[1], length $1, $1 eq 'acyclic' ? 'irreflexive' : 'acyclic') if $1 ne 'empty';
    }
}

# Every file of a folder and the folders in it whose name ends in `ending`.
sub below {
    my ($ending, @folders) = @_;
    my @found;
    find({ no_chdir => 1, wanted => sub { push @found, $_ if /\Q$ending\E$/ && -f } }, @folders);
    return sort @found;
}

my @files = sort(below('.c', 'solver', 'program', 'model', 'check', 'cli'), grep { -f } glob('model/ptx-9.1.cat'),
    glob('model/simulated/*.cat'));
read_enumerations(below('.h', 'litmus', 'model', 'solver', 'check', 'cli'));
for my $file (@files) {
    $path = $file;
    $text = read_file($file);
    @line_starts = (0);
    push @line_starts, pos $text while $text =~ /\n/g;
    $file =~ /\.cat$/ ? cat_sites() : c_sites();
}
