"""Small logs that are read to be written again."""

from __future__ import annotations

READ = {
    "clicks upwards": "1 M 0 3|1 0 Q 0 5 1 10,1 11,1|1 1 C 0 11|1 11 C 0 10|1 99 Q 1 6 1 12,1",
    "a click some time after the page": "1 M 0 3|1 0 Q 0 5 1 10,1 11,1|1 5 C 0 10|1 25 Q 1 6 1 12,1",
    "the upper click ends the session": "1 M 0 3|1 0 Q 0 5 1 10,1 11,1|1 1 C 0 11|1 11 C 0 10",
    "back to an earlier page": "1 M 0 3|1 0 Q 0 5 1 10,1 11,1|1 7 Q 1 6 1 12,1|1 8 C 1 12|1 20 C 0 11",
}
NAMED = (
    "session,user,query,position,document,domain,clicked\nmonday,ann,new york,1,a,b,1\nmonday,ann,new york,2,c,d,0\n"
)
