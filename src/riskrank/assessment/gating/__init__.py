"""Gates: may a candidate replace its baseline?"""
