# A generator of random numbers of our own: random.pl and random_async.pl make the same tests on every machine.
use strict;
use warnings;

my $state;
sub begin_numbers { $state = 88172645463325252 ^ ($_[0] * 2654435761); }
sub number {
    my ($below) = @_;
    use integer;
    $state ^= $state << 13;
    $state ^= ($state >> 7) & 144115188075855871;
    $state ^= $state << 17;
    return (($state >> 11) & 0x7fffffff) % $below;
}
sub chance { return number(100) < $_[0]; }
sub one { return $_[number(scalar @_)]; }

1;
