/**
 * Words that belong to the surname that follows them, and surnames of two words.
 *
 * Written from general knowledge by the authors; docs/matching.md, owner rule 1.
 */

/** Words that begin a surname of several words. */
export const PARTICLES = set(`
DE DEL DELA DELLA DELLE DELLO DEI DES DI DA DAS DOS DU LA LAS LOS VAN VANDE VANDER VANDEN VON
VOM ZU ZUM ZUR DER DEN TEN TER MC MAC O ST STE SAINT SAINTE SANTA D ABU IBN FITZ
VANT OPT TE DALLA DALLE DEGLI ABDEL
`)

/** Particles only at the start of a surname that is known to be one, with a word to follow. */
export const START_PARTICLES = set('LE AL EL BEN')

/** Two words that begin a Dutch surname together: `OP DE BEECK`, `IN 'T VELD`. */
export const DUTCH_PAIRS = new Set(
  ['OP', 'IN', 'UIT', 'AAN'].flatMap((first) =>
    ['DE', 'DEN', 'T', 'HET'].map((second) => `${first} ${second}`),
  ),
)

/** Surnames that follow a lone O. */
export const IRISH = set(`
BRIEN BRIAN BRYAN BRYANT CONNOR CONNER CONNORS CONNELL CONOR DONNELL DONOVAN DOWD DWYER FARRELL
FLAHERTY FLYNN GARA GORMAN GRADY HALLORAN HARA HARE HERN KANE KEEFE KEEFFE KELLEY KELLY LEARY
LOUGHLIN MALLEY MALLY MARA MEARA NEAL NEALL NEIL NEILL REAR REGAN REILLY REILY ROARK ROURKE
RILEY RYAN SHAUGHNESSY SHEA SULLIVAN TOOLE HAGAN HEARN DELL DONOGHUE BANNON BOYLE CALLAGHAN DAY
DEA DONOHUE HANLON LAUGHLIN STEEN
`)

/** Words that follow SAN in a surname. */
export const SAINTS = set(`
AGUSTIN ANDRES ANTONIO DIEGO FELIPE FILIPPO GERMAN JOSE JUAN LUIS MARCO MARCOS MARTIN MIGUEL
NICOLAS PABLO PEDRO ROMAN SEBASTIAN VICENTE
`)

/** Words that follow LO in a surname. */
export const AFTER_LO = set(`
PRESTI BIANCO BUE BUGLIO CASCIO CICERO COCO CONTE CURTO FARO FASO GIUDICE GRASSO IACONO MANTO
MEDICO MONACO PICCOLO PINTO PORTO RE RUSSO SCALZO SCHIAVO SARDO SASSO TEMPIO TURCO VECCHIO VERDE
VERSO
`)

/** Words that follow BAR in a Hebrew surname. */
export const AFTER_BAR = set(`
AM EL ELI ILAN KOCHBA LEV LEVAV MEIR NATAN NOY NUN ON OR SELA SHALOM SINAI TAL TOV YAAKOV YOSEF ZEEV
ZIV ZVI
`)

/**
 * Words that follow a lone D, whose apostrophe is missing: surnames though some are given names.
 */
export const AFTER_D = set(`
AGOSTINO ALESSANDRO ALESSIO AMATO AMBROSIO AMICO AMORE ANDREA ANGELO ANGELIS ANNUNZIO ANTONIO
APRILE AQUILA ARCANGELO AURIA AVANZO ELIA ERRICO IMPERIO INNOCENZO IORIO ONOFRIO ORAZIO ORSI URSO
`)

function set(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
