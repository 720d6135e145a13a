"""Meanings that are missing: texts whose searches helped no reader, with pages that a maintainer may have meant.

The candidates are results of the site's own search for the text with corrected words, and without one word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from kinfolk.search.analytics.learned_meanings import LATEST_VERSION
from kinfolk.search.analytics.neutral_address import NeutralAddress, neutral_address
from kinfolk.search.analytics.proposed_meaning import ProposedMeaning
from kinfolk.search.analytics.query_log import UnansweredText
from kinfolk.search.query import SearchableIndex, SearchQuery, SearchResult
from kinfolk.search.text.tokens import STEM, read_words, stem
from kinfolk.search.text.vocabulary import Vocabulary

MOST_CANDIDATES = 3
MAX_WORDS = 8
"""Words of a text that are left out in turn."""
MIN_SPLIT_LENGTH = 3
"""Letters of each word of a compound."""
MAX_TYPOS = 2
HITS_PER_VARIANT = 5
SEEN_PAGES = 3
"""First pages of a search that its readers have seen and not opened."""


def suggested_meanings(
    texts: Iterable[UnansweredText],
    index: SearchableIndex,
    vocabulary: Vocabulary,
    *,
    accepted: Collection[str] = (),
    stop_words: Collection[str] = (),
) -> Iterator[ProposedMeaning]:
    """A line for each text, in the order of the texts, once for each.

    Texts that had no results and have some in the present index are left out, as are those of `accepted`, which have a
    meaning already.
    """
    done = set(accepted)
    for text in texts:
        if text.text in done:
            continue
        found = index.search(SearchQuery(text=text.text, where=LATEST_VERSION, distinct=1, length=SEEN_PAGES))
        if found.hits and text.kind == "without-results":
            continue
        done.add(text.text)
        seen = {address.page for address in _addresses(found)}
        variants = query_variants(text.text, vocabulary, stop_words)
        yield _proposal(text, candidate_pages(variants, index, excluded=seen))


def candidate_pages(
    variants: Iterable[str], index: SearchableIndex, *, excluded: Collection[str] = ()
) -> tuple[NeutralAddress, ...]:
    """At most MOST_CANDIDATES pages that have all words of a variant: first those that many variants rank high."""
    scores: dict[str, float] = {}
    addresses: dict[str, NeutralAddress] = {}
    for variant in variants:
        query = SearchQuery(
            text=variant, where=LATEST_VERSION, distinct=1, length=HITS_PER_VARIANT, remove_words_if_no_results=False
        )
        for place, address in enumerate(_addresses(index.search(query)), start=1):
            if address.page not in excluded:
                addresses.setdefault(address.page, address)
                scores[address.page] = scores.get(address.page, 0.0) + 1 / place
    best = sorted(scores, key=lambda page: -scores[page])
    return tuple(addresses[page] for page in best[:MOST_CANDIDATES])


def query_variants(text: str, vocabulary: Vocabulary, stop_words: Collection[str] = ()) -> tuple[str, ...]:
    """The text with its unknown words corrected or dropped, and that without one more word in turn.

    A single word is split although the index has it: its own results are what did not help.
    """
    words = [word.term for word in read_words(text)][:MAX_WORDS]
    known = [found for word in words for found in known_words(word, vocabulary)]
    if len(words) == 1:
        known = list(split_compound(words[0], vocabulary)) or known
    variants = [known] if known != words else []
    for at, word in enumerate(known):
        rest = known[:at] + known[at + 1 :]
        if word not in stop_words and not all(other in stop_words for other in rest):
            variants.append(rest)
    return tuple(dict.fromkeys(" ".join(variant) for variant in variants if variant))


def known_words(word: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """The word if the index has it, else the words that it joins, else its likeliest correction; empty without one."""
    if word in vocabulary or ((root := stem(word)) and STEM + root in vocabulary):
        return (word,)
    corrections = vocabulary.corrections(word, MAX_TYPOS, is_prefix=False)
    likeliest = sorted(
        (other for other in corrections if not other.startswith(STEM)),
        key=lambda other: (corrections[other], -vocabulary.frequency[other], other),
    )
    return split_compound(word, vocabulary) or tuple(likeliest[:1])


def split_compound(word: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """`getserversideprops` -> `get`, `server`, `side`, `props`: the fewest known words, at least two; else empty."""
    best: dict[int, tuple[str, ...]] = {0: ()}
    for end in range(MIN_SPLIT_LENGTH, len(word) + 1):
        endings = (
            (*best[start], word[start:end])
            for start in range(end - MIN_SPLIT_LENGTH + 1)
            if start in best and end - start < len(word) and word[start:end] in vocabulary
        )
        found = min(endings, key=len, default=None)
        if found is not None:
            best[end] = found
    return best.get(len(word), ())


def _addresses(result: SearchResult) -> Sequence[NeutralAddress]:
    return [address for hit in result.hits if (address := neutral_address(hit.record))]


def _proposal(text: UnansweredText, candidates: Sequence[NeutralAddress]) -> ProposedMeaning:
    reason = "without results" if text.kind == "without-results" else "with results, none of which was clicked,"
    return ProposedMeaning(
        says=text.text,
        candidates=candidates,
        why=f"{text.searches} searches {reason} from {text.first} to {text.last}",
    )
