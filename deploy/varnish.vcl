vcl 4.1;
# Varnish 6 or later in front of Kinfolk. It speaks no TLS: a proxy such as nginx or Caddy passes requests on to it.
#   varnishd -a 127.0.0.1:6081 -f /etc/varnish/kinfolk.vcl -s malloc,256m
# Kinfolk purges it with KINFOLK_CDN=varnish KINFOLK_CDN_API=http://127.0.0.1:6081/. By hand, `*` is everything:
#   curl -X BAN -H 'Cache-Tag: 0a1b2c3d4e,5f60718293' http://127.0.0.1:6081/

import std;

backend kinfolk {
    .host = "127.0.0.1";
    .port = "8000";
    .probe = { .url = "/healthz"; .interval = 2s; .timeout = 1s; .window = 3; .threshold = 2; .initial = 2; }
}

# Add the addresses of Kinfolk if it runs on other machines.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "BAN") {
        # Requests of readers come through a proxy, which adds a second address.
        if (client.ip !~ purgers || req.http.X-Forwarded-For ~ ",") {
            return (synth(403, "Not allowed"));
        }
        if (req.http.Cache-Tag == "*") {
            ban("obj.status != 0");
            return (synth(200, "Banned"));
        }
        if (req.http.Cache-Tag !~ "^[0-9a-f]{10}(,[0-9a-f]{10}){0,99}$") {
            return (synth(400, "Cache-Tag must be * or name 1 to 100 tags"));
        }
        if (!std.ban("obj.http.Cache-Tag ~ (^|,)(" + regsuball(req.http.Cache-Tag, ",", "|") + ")(,|$)")) {
            return (synth(500, std.ban_error()));
        }
        return (synth(200, "Banned"));
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    # Streams stay open.
    if (req.url ~ "^/api/live") {
        return (pass);
    }
    # The answer for a client that prefers Markdown is never stored, and all others accept HTML: one variant of each page.
    if (req.http.Accept ~ "(?i)text/markdown") {
        return (pass);
    }
    unset req.http.Accept;
    # While the server answers, what is stale is sent for five minutes at most, during a request for the new version.
    # After an error, what is stored is sent for as long as its stale-if-error.
    if (req.restarts == 0 && std.healthy(req.backend_hint)) {
        set req.grace = 5m;
    } else {
        set req.grace = 10d;
    }
    # Not `pass` for requests with cookies: pages are the same for all readers. What is not is sent with `no-store`.
    return (hash);
}

sub vcl_backend_response {
    # Before a stale response is replaced by an error, it is sent again.
    if (beresp.status >= 500 && bereq.is_bgfetch) {
        return (abandon);
    }
    if (beresp.http.CDN-Cache-Control ~ "max-age=[0-9]+" && !beresp.http.Set-Cookie) {
        set beresp.ttl = std.duration(regsub(beresp.http.CDN-Cache-Control, "^(?:.*[ ,])?max-age=([0-9]+).*$", "\1s"), 0s);
        set beresp.grace = 0s;
        if (beresp.http.CDN-Cache-Control ~ "stale-if-error=[0-9]+") {
            set beresp.grace = std.duration(regsub(beresp.http.CDN-Cache-Control, "^.*stale-if-error=([0-9]+).*$", "\1s"), 0s);
        }
        return (deliver);
    }
    # A response that is not for shared caches: requests for its address do not wait for each other.
    set beresp.uncacheable = true;
    set beresp.ttl = 10s;
    if (beresp.status >= 500) {
        # An error must not replace what is stored.
        set beresp.ttl = 0s;
        set beresp.grace = 0s;
    }
    return (deliver);
}

sub vcl_backend_error {
    if (bereq.is_bgfetch) {
        return (abandon);
    }
}

sub vcl_deliver {
    if (resp.status >= 500 && req.restarts == 0 && (req.method == "GET" || req.method == "HEAD")) {
        return (restart);
    }
    set resp.http.X-Cache = "miss";
    if (obj.hits > 0) {
        set resp.http.X-Cache = "hit";
    }
    # Of no use to browsers.
    unset resp.http.Cache-Tag;
    unset resp.http.CDN-Cache-Control;
}

sub vcl_synth {
    if (resp.status == 503 && req.restarts == 0 && (req.method == "GET" || req.method == "HEAD")) {
        return (restart);
    }
}
