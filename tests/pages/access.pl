#!/usr/bin/env perl
# Pages as a keyboard and a reader of screens meet them, in headless Chromium over its debugging pipe: names, roles and
# order in the accessibility tree, headings, headers of tables, and the focus as Tab moves it.
#
# usage: access.pl [--tell] CHROMIUM PROFILE PAGE...      (--tell prints what is met)
# Status: 0, 1 with faults printed, 77 where Chromium does not answer.
use strict;
use warnings;
use Fcntl;
use JSON::PP;
use POSIX ();

my $tell = @ARGV && $ARGV[0] eq '--tell' ? shift : 0;
my ($browser, $profile, @pages) = @ARGV;
die "usage: access.pl [--tell] CHROMIUM PROFILE PAGE...\n" if !@pages;
binmode STDOUT, ':utf8';
my $failures = 0;
my $page = '';

sub fail {
    print "FAIL $page: @_\n";
    $failures++;
}

# --- The pipe: messages of JSON that end with a zero byte, on descriptors 3 (to Chromium) and 4 -------------------------

pipe(my $in, my $to) && pipe(my $from, my $out) or die "pipe: $!\n";
my $child = fork // die "fork: $!\n";
if ($child == 0) {
    POSIX::setpgid(0, 0);
    open STDERR, '>', '/dev/null';
    # Copies high up first: 3 and 4 may be in use by the pipes themselves.
    my $reading = fcntl($in, F_DUPFD, 20) // POSIX::_exit(1);
    my $writing = fcntl($out, F_DUPFD, 20) // POSIX::_exit(1);
    POSIX::dup2($reading, 3);
    POSIX::dup2($writing, 4);
    exec {$browser} $browser, '--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe', '--window-size=1100,900',
        "--user-data-dir=$profile", 'about:blank' or POSIX::_exit(127);
}
close $in;
close $out;
$to->autoflush(1);
END { kill 'KILL', -$child if $child }
$SIG{ALRM} = sub { print "Chromium does not answer: skipped\n"; POSIX::_exit(77) if kill('KILL', -$child) || 1 };

my $number = 0;
my $buffer = '';
my $session;

sub message {
    alarm 60;
    while ($buffer !~ /\0/) {
        sysread($from, $buffer, 1 << 16, length $buffer) or do {
            print "Chromium does not run here: skipped\n";
            exit 77;
        };
    }
    alarm 0;
    $buffer =~ s/^(.*?)\0//s;
    return decode_json($1);
}

# call METHOD, PARAMETER => VALUE...: what Chromium answers.
sub call {
    my ($method, %parameters) = @_;
    my %request = (id => ++$number, method => $method, params => \%parameters);
    $request{sessionId} = $session if defined $session;
    local $SIG{PIPE} = 'IGNORE';
    print {$to} encode_json(\%request), "\0";
    while (1) {
        my $answer = message();
        next if !defined $answer->{id} || $answer->{id} != $number;
        die "$method: $answer->{error}{message}\n" if $answer->{error};
        return $answer->{result};
    }
}

# The value of an expression in the page.
sub value_of { return call('Runtime.evaluate', expression => $_[0], returnByValue => JSON::PP::true)->{result}{value} }

sub open_page {
    call('Page.navigate', url => "file://$_[0]");
    for (1 .. 100) {
        last if value_of('document.readyState + location.href') eq "completefile://$_[0]";
        select undef, undef, undef, 0.05;
    }
}

# --- The accessibility tree ---------------------------------------------------------------------------------------------

sub property {
    my ($node, $name) = @_;
    for (@{$node->{properties} || []}) { return $_->{value}{value} if $_->{name} eq $name }
    return undef;
}

# What a reader of screens meets, in its order: role, name, and properties.
sub nodes_in_order {
    my %by_id = map { $_->{nodeId} => $_ } @{call('Accessibility.getFullAXTree')->{nodes}};
    my ($root) = grep { !defined $_->{parentId} } values %by_id;
    my (@order, $visit);
    $visit = sub {
        my $node = $by_id{$_[0]} or return;
        push @order, $node if !$node->{ignored};
        $visit->($_) for @{$node->{childIds} || []};
    };
    $visit->($root->{nodeId});
    return @order;
}

sub role { return $_[0]{role}{value} // '' }
sub name { return $_[0]{name}{value} // '' }

sub check_tree {
    my @nodes = nodes_in_order();
    my (%count, %regions);
    $count{role($_)}++ for @nodes;
    fail('no title') if name($nodes[0]) eq '';
    fail("the language is '" . (value_of('document.documentElement.lang') // '') . "'")
        if (value_of('document.documentElement.lang') // '') ne 'en';
    fail("$count{main} main parts") if ($count{main} // 0) != 1;
    my $level = 0;
    for my $heading (grep { role($_) eq 'heading' } @nodes) {
        my $next = property($heading, 'level');
        fail("a heading of level $next after one of level $level: " . name($heading)) if $next > $level + 1;
        fail('an empty heading') if name($heading) eq '';
        print '  ' x $next, "heading $next: ", name($heading), "\n" if $tell;
        $level = $next;
    }
    fail('not one heading of level 1') if 1 != grep { role($_) eq 'heading' && property($_, 'level') == 1 } @nodes;
    for my $node (@nodes) {
        my $role = role($node);
        fail("a $role without a name") if $role =~ /^(link|button|image|img|DisclosureTriangle|region|navigation)$/ && name($node) eq '';
        fail("what takes the focus has no name: $role") if property($node, 'focusable') && name($node) eq '';
        fail("two regions are called " . name($node)) if $role eq 'region' && $regions{name($node)}++;
        fail('a table has no caption') if $role eq 'table' && name($node) eq '';
        print "  $role: ", name($node), "\n" if $tell && $role =~ /^(image|img|table|main|navigation|region|banner)$/;
    }
    # Chromium may take a table for layout: that all are tables for it, with headers, is what counts.
    my $tables = value_of('document.querySelectorAll("table").length');
    my $closed = value_of('[...document.querySelectorAll("table")].filter(t => !t.checkVisibility()).length');
    fail(($count{table} // 0) . " of $tables tables, $closed of them in what is closed")
        if ($count{table} // 0) != $tables - $closed;
    fail('a table has no columnheader') if $tables > $closed && !$count{columnheader};
    fail('tables without headers: ' . $_)
        for grep { $_ } value_of(
        '[...document.querySelectorAll("table")].filter(t => !t.querySelector("th[scope=col]")).map(t => t.outerHTML.slice(0, 60)).join("; ")');
    return \@nodes;
}

# --- The keyboard -------------------------------------------------------------------------------------------------------

sub press {
    my ($key, $code, $shift) = @_;
    my %key = (key => $key, code => $key, windowsVirtualKeyCode => $code, modifiers => $shift ? 8 : 0);
    call('Input.dispatchKeyEvent', type => 'keyDown', %key, $key eq 'Enter' ? (text => "\r") : ());
    call('Input.dispatchKeyEvent', type => 'keyUp', %key);
}

my $focused = '(e => e === document.body ? "" : [...document.querySelectorAll("*")].indexOf(e) + " " + e.tagName + " " + '
    . '(e.textContent || "").trim().slice(0, 40))(document.activeElement)';
my $outline = '(e => { const s = getComputedStyle(e); return e === document.body || (s.outlineStyle !== "none" && '
    . 'parseFloat(s.outlineWidth) > 0) })(document.activeElement)';

# Tab from the top to the end of the page, and back.
sub check_keyboard {
    my $wanted = value_of('[...document.querySelectorAll("a[href], summary, button, input, [tabindex]")]'
            . '.filter(e => e.checkVisibility() && e.tabIndex >= 0).length');
    my (@met, $last);
    value_of('document.activeElement.blur(), window.scrollTo(0, 0), 0');
    for (0 .. $wanted + 2) {
        press('Tab', 9);
        my $now = value_of($focused);
        last if $now eq '' || (@met && $now eq $met[0]);
        fail("the focus stays at $now") if @met && $now eq $met[-1];
        fail("no outline at $now") if !value_of($outline);
        push @met, $now;
    }
    fail(@met . " of $wanted links and the like are reached by Tab") if @met < $wanted;
    my @places = map { /^(\d+)/ } @met;
    for my $i (1 .. $#places) { fail("the focus goes back from $met[$i - 1] to $met[$i]") if $places[$i] < $places[$i - 1] }
    print "  Tab: $_\n" for $tell ? @met : ();
    press('Tab', 9, 1);
    press('Tab', 9, 1) if value_of($focused) eq '';
    fail('Shift and Tab do not lead back') if value_of($focused) eq '' && @met > 1;
    return @met;
}

# What is folded opens and closes by Enter.
sub check_details {
    my $open = 'document.querySelector("details").open';
    return if !value_of('document.querySelector("details summary") !== null');
    value_of('document.querySelector("details summary").focus(), 0');
    my $before = value_of($open);
    press('Enter', 13);
    fail('Enter does not open or close') if value_of($open) == $before;
    press('Enter', 13);
    fail('Enter does not close or open') if value_of($open) != $before;
}

# The first link leads to the main part.
sub check_skip {
    my ($first) = @_;
    fail('the first link does not skip to the main part: ' . ($first // 'none'))
        if !value_of('(a => a !== null && a.getAttribute("href").startsWith("#") && '
            . 'document.querySelector(a.getAttribute("href")).closest("main") !== null)(document.querySelector("a"))');
}

my $target = call('Target.createTarget', url => 'about:blank')->{targetId};
my $attached = call('Target.attachToTarget', targetId => $target, flatten => JSON::PP::true)->{sessionId};
$session = $attached;
call("$_.enable") for qw(Page Runtime Accessibility);
call('Page.bringToFront');
for my $path (@pages) {
    ($page) = $path =~ m{([^/]*)$};
    open_page($path);
    print "$page\n" if $tell;
    my $nodes = check_tree();
    my @met = check_keyboard();
    check_skip($met[0]) if $page ne 'index.html';
    check_details();
    printf "%s: %d nodes, %d reached by Tab\n", $page, scalar @$nodes, scalar @met;
}
exit($failures > 0);
