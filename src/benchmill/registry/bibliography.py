"""The publications that methods, formats and suites come from: the one place that texts and BibTeX read them from.

An entry of a registry names them by their keys (`Entry.references`). Where no DOI stands, none was looked up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

#: How texts cite: blanks, and a key in brackets.
CITATION = re.compile(r"\s*\[([a-z]+[0-9]{4}[a-z]*)\]")


@dataclass(frozen=True)
class Reference:
    """A publication.

    Attributes
    ----------
    key : str
        By which texts cite it.
    kind : str
        The type of a BibTeX entry: `article`, `inproceedings`, `book`, ...
    authors : tuple of str
        Initials, then the name.
    title : str
    year : int
    fields : mapping
        The other fields of BibTeX, in plain Unicode: `journal`, `volume`, `number`, `pages`, `doi`, ...
    """

    key: str
    kind: str
    authors: tuple[str, ...]
    title: str
    year: int
    fields: Mapping[str, str] = field(default_factory=dict)


def _reference(key: str, kind: str, authors: str, title: str, **fields: str) -> Reference:
    year = re.search(r"\d{4}", key)
    assert year, key
    return Reference(key, kind, tuple(authors.split(", ")), title, int(year[0]), fields)


def _article(key: str, authors: str, title: str, journal: str, volume: str, pages: str, **fields: str) -> Reference:
    volume, _, number = volume.partition("(")
    numbered = {"number": number.rstrip(")")} if number else {}
    return _reference(key, "article", authors, title, journal=journal, volume=volume, **numbered, pages=pages, **fields)


_JASA = "Journal of the American Statistical Association"
_JMLR = "Journal of Machine Learning Research"
_CEC = "IEEE Congress on Evolutionary Computation (CEC)"
_BBOB = "N. Hansen, S. Finck, R. Ros, A. Auger"
_BBOB_TITLE = "Real-parameter black-box optimization benchmarking 2009"

_ALL = (
    # runs of solvers
    _reference(
        "achterberg2007",
        "phdthesis",
        "T. Achterberg",
        "Constraint integer programming",
        school="Technische Universität Berlin",
    ),
    _reference(
        "achterberg2013",
        "incollection",
        "T. Achterberg, R. Wunderling",
        "Mixed integer programming: analyzing 12 years of progress",
        booktitle="Facets of Combinatorial Optimization",
        pages="449–481",
        publisher="Springer",
        doi="10.1007/978-3-642-38189-8_18",
    ),
    # profiles
    _article(
        "dolan2002",
        "E. D. Dolan, J. J. Moré",
        "Benchmarking optimization software with performance profiles",
        "Mathematical Programming",
        "91(2)",
        "201–213",
        doi="10.1007/s101070100263",
    ),
    _article(
        "morales2002",
        "J. L. Morales",
        "A numerical study of limited memory BFGS methods",
        "Applied Mathematics Letters",
        "15(4)",
        "481–487",
        doi="10.1016/S0893-9659(01)00162-8",
    ),
    _article(
        "more2009",
        "J. J. Moré, S. M. Wild",
        "Benchmarking derivative-free optimization algorithms",
        "SIAM Journal on Optimization",
        "20(1)",
        "172–191",
        doi="10.1137/080724083",
    ),
    _reference(
        "barbosa2010",
        "inproceedings",
        "H. J. C. Barbosa, H. S. Bernardino, A. M. S. Barreto",
        "Using performance profiles to analyze the results of the 2006 CEC constrained optimization competition",
        booktitle=_CEC,
    ),
    _reference(
        "barreto2010",
        "inproceedings",
        "A. M. S. Barreto, H. S. Bernardino, H. J. C. Barbosa",
        "Probabilistic performance profiles for the experimental evaluation of stochastic algorithms",
        booktitle="Genetic and Evolutionary Computation Conference (GECCO)",
    ),
    _article(
        "beiranvand2017",
        "V. Beiranvand, W. Hare, Y. Lucet",
        "Best practices for comparing optimization algorithms",
        "Optimization and Engineering",
        "18(4)",
        "815–848",
        doi="10.1007/s11081-017-9366-1",
    ),
    _reference(
        "hekmati2018",
        "misc",
        "A. Hekmati, M. J. Mirhajianmoghadam",
        "Nested performance profiles for benchmarking software",
        howpublished="arXiv:1809.06270",
    ),
    # running times
    _article(
        "hansen2021",
        "N. Hansen, A. Auger, R. Ros, O. Mersmann, T. Tušar, D. Brockhoff",
        "COCO: a platform for comparing continuous optimizers in a black-box setting",
        "Optimization Methods and Software",
        "36(1)",
        "114–144",
        doi="10.1080/10556788.2020.1808977",
    ),
    _article(
        "bradley1952",
        "R. A. Bradley, M. E. Terry",
        "Rank analysis of incomplete block designs: I. The method of paired comparisons",
        "Biometrika",
        "39(3/4)",
        "324–345",
    ),
    _article(
        "hall1992",
        "P. Hall",
        "On the removal of skewness by transformation",
        "Journal of the Royal Statistical Society B",
        "54(1)",
        "221–228",
    ),
    _reference(
        "wang2022",
        "article",
        "H. Wang, D. Vermetten, F. Ye, C. Doerr, T. Bäck",
        "IOHanalyzer: detailed performance analyses for iterative optimization heuristics",
        journal="ACM Transactions on Evolutionary Learning and Optimization",
        volume="2",
        number="1",
        doi="10.1145/3510426",
    ),
    _article(
        "lopezibanez2025",
        "M. López-Ibáñez, D. Vermetten, J. Dréo, C. Doerr",
        "Using the empirical attainment function for analyzing single-objective black-box optimization algorithms",
        "IEEE Transactions on Evolutionary Computation",
        "29(5)",
        "1774–1782",
        doi="10.1109/TEVC.2024.3462758",
    ),
    # courses of solver runs
    _article(
        "berthold2013",
        "T. Berthold",
        "Measuring the impact of primal heuristics",
        "Operations Research Letters",
        "41(6)",
        "611–614",
        doi="10.1016/j.orl.2013.08.007",
    ),
    _article(
        "berthold2021",
        "T. Berthold, Z. Csizmadia",
        "The confined primal integral: a measure to benchmark heuristic MINLP solvers against global MINLP solvers",
        "Mathematical Programming",
        "188",
        "523–537",
        doi="10.1007/s10107-020-01547-5",
    ),
    # tests
    _article(
        "friedman1937",
        "M. Friedman",
        "The use of ranks to avoid the assumption of normality implicit in the analysis of variance",
        _JASA,
        "32(200)",
        "675–701",
        doi="10.1080/01621459.1937.10503522",
    ),
    _article(
        "wilcoxon1945",
        "F. Wilcoxon",
        "Individual comparisons by ranking methods",
        "Biometrics Bulletin",
        "1(6)",
        "80–83",
        doi="10.2307/3001968",
    ),
    _article(
        "pratt1959",
        "J. W. Pratt",
        "Remarks on zeros and ties in the Wilcoxon signed rank procedures",
        _JASA,
        "54(287)",
        "655–667",
        doi="10.1080/01621459.1959.10501526",
    ),
    _article(
        "welch1947",
        "B. L. Welch",
        "The generalization of ‘Student’s’ problem when several different population variances are involved",
        "Biometrika",
        "34(1–2)",
        "28–35",
        doi="10.1093/biomet/34.1-2.28",
    ),
    _article(
        "hodges1962",
        "J. L. Hodges, E. L. Lehmann",
        "Rank methods for combination of independent experiments in analysis of variance",
        "Annals of Mathematical Statistics",
        "33(2)",
        "482–497",
        doi="10.1214/aoms/1177704575",
    ),
    _article(
        "quade1979",
        "D. Quade",
        "Using weighted rankings in the analysis of complete blocks with additive block effects",
        _JASA,
        "74(367)",
        "680–683",
        doi="10.1080/01621459.1979.10481670",
    ),
    _article(
        "iman1980",
        "R. L. Iman, J. M. Davenport",
        "Approximations of the critical region of the Friedman statistic",
        "Communications in Statistics – Theory and Methods",
        "9(6)",
        "571–595",
        doi="10.1080/03610928008827904",
    ),
    _article(
        "janssen1997",
        "A. Janssen",
        "Studentized permutation tests for non-i.i.d. hypotheses and the generalized Behrens–Fisher problem",
        "Statistics & Probability Letters",
        "36(1)",
        "9–21",
        doi="10.1016/S0167-7152(97)00043-6",
    ),
    _reference("conover1999", "book", "W. J. Conover", "Practical Nonparametric Statistics", edition="third", publisher="Wiley"),
    _article(
        "brunner2000",
        "E. Brunner, U. Munzel",
        "The nonparametric Behrens–Fisher problem: asymptotic theory and a small-sample approximation",
        "Biometrical Journal",
        "42(1)",
        "17–25",
        doi="10.1002/(SICI)1521-4036(200001)42:1<17::AID-BIMJ17>3.0.CO;2-U",
    ),
    _reference(
        "chiarandini2005",
        "inproceedings",
        "M. Chiarandini, D. Basso, T. Stützle",
        "Statistical methods for the comparison of stochastic optimizers",
        booktitle="Metaheuristics International Conference (MIC)",
    ),
    _article(
        "demsar2006",
        "J. Demšar",
        "Statistical comparisons of classifiers over multiple data sets",
        _JMLR,
        "7",
        "1–30",
    ),
    _article(
        "benavoli2017",
        "A. Benavoli, G. Corani, J. Demšar, M. Zaffalon",
        "Time for a change: a tutorial for comparing multiple classifiers through Bayesian analysis",
        _JMLR,
        "18(77)",
        "1–36",
    ),
    _article(
        "corani2017",
        "G. Corani, A. Benavoli, J. Demšar, F. Mangili, M. Zaffalon",
        "Statistical comparison of classifiers through Bayesian hierarchical modelling",
        "Machine Learning",
        "106(11)",
        "1817–1837",
        doi="10.1007/s10994-017-5641-9",
    ),
    _article(
        "morey2011",
        "R. D. Morey, J. N. Rouder",
        "Bayes factor approaches for testing interval null hypotheses",
        "Psychological Methods",
        "16(4)",
        "406–419",
        doi="10.1037/a0024377",
    ),
    _article(
        "kaplan1958",
        "E. L. Kaplan, P. Meier",
        "Nonparametric estimation from incomplete observations",
        "Journal of the American Statistical Association",
        "53(282)",
        "457–481",
        doi="10.1080/01621459.1958.10501452",
    ),
    _article(
        "royston2013",
        "P. Royston, M. K. B. Parmar",
        "Restricted mean survival time: an alternative to the hazard ratio for the design and analysis of randomized trials with "
        "a time-to-event outcome",
        "BMC Medical Research Methodology",
        "13",
        "152",
        doi="10.1186/1471-2288-13-152",
    ),
    # corrections
    _article(
        "holm1979",
        "S. Holm",
        "A simple sequentially rejective multiple test procedure",
        "Scandinavian Journal of Statistics",
        "6(2)",
        "65–70",
    ),
    _article(
        "shaffer1986",
        "J. P. Shaffer",
        "Modified sequentially rejective multiple test procedures",
        _JASA,
        "81(395)",
        "826–831",
        doi="10.1080/01621459.1986.10478341",
    ),
    _reference(
        "bergmann1988",
        "incollection",
        "B. Bergmann, G. Hommel",
        "Improvements of general multiple test procedures for redundant systems of hypotheses",
        booktitle="Multiple Hypothesenprüfung – Multiple Hypotheses Testing",
        publisher="Springer",
        pages="100–115",
    ),
    _article(
        "hochberg1988",
        "Y. Hochberg",
        "A sharper Bonferroni procedure for multiple tests of significance",
        "Biometrika",
        "75(4)",
        "800–802",
        doi="10.1093/biomet/75.4.800",
    ),
    _article(
        "hommel1988",
        "G. Hommel",
        "A stagewise rejective multiple test procedure based on a modified Bonferroni test",
        "Biometrika",
        "75(2)",
        "383–386",
        doi="10.1093/biomet/75.2.383",
    ),
    _article(
        "finner1993",
        "H. Finner",
        "On a monotonicity problem in step-down multiple test procedures",
        _JASA,
        "88(423)",
        "920–923",
    ),
    _reference(
        "westfall1993",
        "book",
        "P. H. Westfall, S. S. Young",
        "Resampling-Based Multiple Testing: Examples and Methods for p-Value Adjustment",
        publisher="Wiley",
    ),
    _article(
        "benjamini1995",
        "Y. Benjamini, Y. Hochberg",
        "Controlling the false discovery rate: a practical and powerful approach to multiple testing",
        "Journal of the Royal Statistical Society, Series B",
        "57(1)",
        "289–300",
        doi="10.1111/j.2517-6161.1995.tb02031.x",
    ),
    _article(
        "romano2005",
        "J. P. Romano, M. Wolf",
        "Exact and approximate stepdown methods for multiple hypothesis testing",
        _JASA,
        "100(469)",
        "94–108",
        doi="10.1198/016214504000000539",
    ),
    _article(
        "gandy2009",
        "A. Gandy",
        "Sequential implementation of Monte Carlo tests with uniformly bounded resampling risk",
        _JASA,
        "104(488)",
        "1504–1511",
        doi="10.1198/jasa.2009.tm08368",
    ),
    # formats of logs
    _reference(
        "liang2006",
        "techreport",
        "J. J. Liang, T. P. Runarsson, E. Mezura-Montes, M. Clerc, P. N. Suganthan, C. A. Coello Coello, K. Deb",
        "Problem definitions and evaluation criteria for the CEC 2006 special session on constrained real-parameter optimization",
        institution="Nanyang Technological University",
    ),
    _reference(
        "takahama2010",
        "inproceedings",
        "T. Takahama, S. Sakai",
        "Constrained optimization by the ε constrained differential evolution with an archive and gradient-based mutation",
        booktitle=_CEC,
        doi="10.1109/CEC.2010.5586484",
    ),
    _reference(
        "li2013",
        "techreport",
        "X. Li, A. Engelbrecht, M. G. Epitropakis",
        "Benchmark functions for CEC’2013 special session and competition on niching methods for multimodal function "
        "optimization",
        institution="RMIT University",
    ),
    _article(
        "bischl2016",
        "B. Bischl, P. Kerschke, L. Kotthoff, M. Lindauer, Y. Malitsky, A. Fréchette, H. Hoos, F. Hutter, K. Leyton-Brown, "
        "K. Tierney, J. Vanschoren",
        "ASlib: a benchmark library for algorithm selection",
        "Artificial Intelligence",
        "237",
        "41–58",
        doi="10.1016/j.artint.2016.04.003",
    ),
    _article(
        "beyer2019",
        "D. Beyer, S. Löwe, P. Wendler",
        "Reliable benchmarking: requirements and solutions",
        "International Journal on Software Tools for Technology Transfer",
        "21(1)",
        "1–29",
        doi="10.1007/s10009-017-0469-y",
    ),
    _article(
        "siqueira2016",
        "A. S. Siqueira, R. G. Costa da Silva, L.-R. Santos",
        "Perprof-py: a Python package for performance profile of mathematical optimization software",
        "Journal of Open Research Software",
        "4(1)",
        "e12",
        doi="10.5334/jors.81",
    ),
    _reference(
        "doerr2018",
        "misc",
        "C. Doerr, H. Wang, F. Ye, S. van Rijn, T. Bäck",
        "IOHprofiler: a benchmarking and profiling tool for iterative optimization heuristics",
        howpublished="arXiv:1810.05281",
    ),
    _article(
        "denobel2024",
        "J. de Nobel, F. Ye, D. Vermetten, H. Wang, C. Doerr, T. Bäck",
        "IOHexperimenter: benchmarking platform for iterative optimization heuristics",
        "Evolutionary Computation",
        "32(3)",
        "205–210",
        doi="10.1162/evco_a_00342",
    ),
    _article(
        "simonsohn2020",
        "U. Simonsohn, J. P. Simmons, L. D. Nelson",
        "Specification curve analysis",
        "Nature Human Behaviour",
        "4(11)",
        "1208–1214",
        doi="10.1038/s41562-020-0912-z",
    ),
    # suites of problems
    _reference(
        "hansen2009",
        "techreport",
        _BBOB,
        f"{_BBOB_TITLE}: noiseless functions definitions",
        institution="INRIA",
        number="RR-6829",
    ),
    _reference(
        "hansen2009noisy",
        "techreport",
        _BBOB,
        f"{_BBOB_TITLE}: noisy functions definitions",
        institution="INRIA",
        number="RR-6869",
    ),
    _reference(
        "varelas2019",
        "misc",
        "K. Varelas, O. Ait El Hara, D. Brockhoff, N. Hansen, D. M. Nguyen, T. Tušar, A. Auger",
        "Benchmarking large-scale continuous optimizers: the bbob-largescale testbed, a COCO software guide and beyond",
        howpublished="arXiv:1903.06396",
    ),
    _reference(
        "tusar2019",
        "inproceedings",
        "T. Tušar, D. Brockhoff, N. Hansen",
        "Mixed-integer benchmark problems for single- and bi-objective optimization",
        booktitle="Genetic and Evolutionary Computation Conference (GECCO)",
        doi="10.1145/3321707.3321868",
    ),
    _article(
        "mantel1966",
        "N. Mantel",
        "Evaluation of survival data and two new rank order statistics arising in its consideration",
        "Cancer Chemotherapy Reports",
        "50(3)",
        "163–170",
    ),
    _article(
        "peto1977",
        "R. Peto, M. C. Pike, P. Armitage, N. E. Breslow, D. R. Cox, S. V. Howard, N. Mantel, K. McPherson, J. Peto, P. G. Smith",
        "Design and analysis of randomized clinical trials requiring prolonged observation of each patient. II. Analysis and "
        "examples",
        "British Journal of Cancer",
        "35(1)",
        "1–39",
    ),
    _article(
        "brockhoff2022",
        "D. Brockhoff, A. Auger, N. Hansen, T. Tušar",
        "Using well-understood single-objective functions in multiobjective black-box optimization test suites",
        "Evolutionary Computation",
        "30(2)",
        "165–193",
        doi="10.1162/evco_a_00298",
    ),
    _reference(
        "dufosse2022",
        "techreport",
        "P. Dufossé, N. Hansen, D. Brockhoff, P. R. Sampaio, A. Atamna, A. Auger",
        "Building scalable test problems for benchmarking constrained optimizers",
        institution="Inria",
    ),
)

#: By key.
REFERENCES = {reference.key: reference for reference in _ALL}

#: Of suites of problems, in lower case: the keys of what defines their problems.
SUITES = {
    "bbob": ("hansen2009",),
    "bbob-noisy": ("hansen2009noisy",),
    "bbob-largescale": ("varelas2019",),
    "bbob-mixint": ("tusar2019",),
    "bbob-biobj-mixint": ("tusar2019",),
    "bbob-biobj": ("brockhoff2022",),
    "bbob-biobj-ext": ("brockhoff2022",),
    "bbob-constrained": ("dufosse2022",),
}


def cited(texts: Iterable[str]) -> list[str]:
    """The keys of the known references that texts cite, each once, in the order of the bibliography."""
    found = {key for text in texts for key in CITATION.findall(text)}
    return [key for key in REFERENCES if key in found]
