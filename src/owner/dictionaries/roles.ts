/**
 * Words of assessors' rolls that denote a share, a tenure or an office, not an owner.
 *
 * Collected by the authors from the abbreviations of county assessors and recorders and from the
 * public rolls that the tests read. One phrase a line, or between bars. Slashes and dots are
 * removed before the comparison: `H/W` is `HW`, `T.O.D.` is `TOD`. `#` means a number, a date
 * or a fraction.
 */
import { readTable } from '../../base/tables.ts'

/** Roles and noise in any position of a name. */
export const ROLES = phrases(readTable('owner-roles.txt').join('\n'))

/**
 * Roles of one word that also occur in names of organizations; removed from persons' names only.
 */
export const SOFT_ROLES = new Set(
  `EST ESTATE LATE SINGLE WIFE HUSBAND INT INTEREST EACH MARRIED OTHERS HEIR GUARD CONTRACT BUYER
BUYERS CUST DEC UND SURV SURVIVORSHIP LEST TIC TBE TBYE TE CP UA UD
UAD UDT UTD UTA SM SW HW WH WF HWF MW MM TF UX JT JTS ROS WRS WROS CB C-B P-R POA AIF UNM WID HRS UW
EXEC ADMIN DTD DATED SPOUSE GRANTEE LESSEE LESSOR LSE OCCUPANT NOMINEE GUARDIAN GUARDIANS BENE
RECEIVER SURVIVOR AGT AGTS AGENT LCB LCP VENDOR VENDORS
SURVIVORS SUCCESSORS INDIV TOD POD NKR REMAINDER DIVORCED WIDOW WIDOWER`.split(/\s+/),
)

/**
 * Words that are roles only after a surname and a given name. Elsewhere they are names or initials.
 */
export const LATE_ROLES = new Set(
  'TR TRS TT JT TC LE L-E LT TEN TRU TRUS REM RM LIFE PR RS'.split(' '),
)

/**
 * Roles between two whole names: the late ones, and Wisconsin's abbreviations for life use,
 * land contract and conservator. Elsewhere they are names, titles or legal forms.
 */
export const MIDDLE_ROLES = new Set([...LATE_ROLES, 'LU', 'LC', 'CONS'])

/** Phrases before a further name of the same owner. */
export const ALSO_KNOWN = phrases(`
DBA | D B A | DOING BUSINESS AS | TA | T A | TRADING AS | AKA | A K A | ALSO KNOWN AS | FKA | F K A
FORMERLY KNOWN AS | FORMERLY | NKA | N K A | NOW KNOWN AS | NEE | NOW | AS NOMINEE OF
WHO ACQUIRED TITLE AS | WHO TOOK TITLE AS
`)

/** Phrases of `ALSO_KNOWN` that a business name follows. */
export const TRADES_AS = new Set(['DBA', 'D B A', 'DOING BUSINESS AS', 'TRADING AS'])

/** Forms of address, degrees, ranks and professions: neither surnames nor given names. */
export const TITLES = new Set(
  `MR MISTER MRS MS MISS MSGR DR DRS REV REVEREND HON HONORABLE FR FATHER SISTER BRO RABBI PASTOR
PROF PROFESSOR SIR DAME
CAPT CAPTAIN COL COLONEL GEN GENERAL SGT SERGEANT SSGT MSGT CPL LT LTC LTCOL MAJ MAJOR CMDR CDR ADM
RADM GOV SEN JUDGE DEACON BISHOP ELDER PHD DDS DMD DVM DO DC OD DPM RN LPN CPA CFA PE PA JD LLM MBA
ESQUIRE ATTY ATTORNEY RET USN USAF USMC USA MDPC PSYD EDD LCSW APRN FNP CRNA PHARMD RPH MSW MHA BSN
MSN DNP ARNP CRNP CNM CNP CNS LPC LMFT LCPC LISW LMT DPT RDH FAIA AICP ASLA FASLA NCARB AIA RPLS PLS
RLS CFP CLU CHFC CPCU PMP CISSP LICSW LISWS LCMHC LMHC LPCC OTR OTRL CWO VADM SFC TSGT FACS FACP
FACC FACOG FAAFP FAAP VMD BVM MPH MPA DMIN THD DSW SCD DSC LLB LLD MDIV PSYCHD PA-C ENP GNP PNP NP
PT LS PVT PFC LIEUTENANT CORPORAL ADMIRAL COMMANDER LADY LORD MME SRA SRTA IMAM ARCHBISHOP CARDINAL
MONSIGNOR CHAPLAIN BROTHER MINISTER EVANGELIST PRIVATE COACH OFFICER REP SHERIFF MAYOR SENATOR
GOVERNOR CONGRESSMAN CONGRESSWOMAN COUNCILMAN COUNCILWOMAN COUNCILMEMBER COUNCILOR REPRESENTATIVE
CHIEF JUSTICE PRESIDENT AMBASSADOR COMMISSIONER SECRETARY TREASURER CONSTABLE ALDERMAN
ALDERWOMAN AUDITOR ASSESSOR CORONER SUPERINTENDENT SELECTMAN SELECTWOMAN COMPTROLLER SUPERVISOR
ASSEMBLYMAN ASSEMBLYWOMAN DELEGATE DETECTIVE DEPUTY TROOPER MAGISTRATE`.split(/\s+/),
)

/**
 * Titles that are surnames too. They count as titles only at the start of a name in natural order,
 * or after a comma.
 */
export const SURNAME_TITLES = new Set(
  `MAJOR BISHOP ELDER DEACON GENERAL FATHER SIR PASTOR DAME GOV SEN CAPTAIN SISTER PROFESSOR COL
GEN MAJ BRO FR HON LT MS PVT LIEUTENANT CORPORAL ADMIRAL COMMANDER LADY LORD MME SRA SRTA IMAM
CARDINAL CHAPLAIN BROTHER MINISTER EVANGELIST PRIVATE COACH OFFICER REP CHIEF JUSTICE PRESIDENT
SUPERVISOR DETECTIVE DEPUTY TROOPER DELEGATE`.split(/\s+/),
)

/** Public offices. They are surnames too, but rarely given names. */
export const OFFICES = new Set(
  `JUDGE SHERIFF MAYOR SENATOR GOVERNOR CONGRESSMAN CONGRESSWOMAN COUNCILMAN COUNCILWOMAN
COUNCILMEMBER COUNCILOR REPRESENTATIVE AMBASSADOR COMMISSIONER SECRETARY TREASURER CONSTABLE
ALDERMAN ALDERWOMAN ASSEMBLYMAN ASSEMBLYWOMAN MAGISTRATE ARCHBISHOP MONSIGNOR AUDITOR ASSESSOR
CORONER SUPERINTENDENT SELECTMAN SELECTWOMAN COMPTROLLER`.split(/\s+/),
)

/**
 * Degrees that are names or initials too. They count as degrees only alone after a comma, or at the
 * end after two names.
 */
export const DOUBTFUL_DEGREES = new Set(
  `DO DC OD PE PA JD MBA USA RET ADM LLM MHA MSW EDD AIA LS PLS RLS NP PT CLU CNS DSC SCD ENP GNP
THD`.split(/\s+/),
)

/**
 * Words that are degrees only after another degree, or after a comma that follows a whole name:
 * `MA` is a surname.
 */
export const COMMA_DEGREES = new Set(
  (
    'MA BA BS MS ND DD EA MAI SRA RA CE SE OT MED MFA BFA CRS GRI CIC CNA MSC BSC SJ ' +
    'OSB OFM OWNER'
  ).split(/\s+/),
)

/** Phrases that form one title. */
export const TITLE_PHRASES = phrases(`
MR & MRS | MR & MS | DR & MRS | MR & DR | DR & MR | DR & DR | REV & MRS | MR OR MRS | MRS & MR
CAPT & MRS | HON & MRS | COUNSELOR AT LAW | LT COL | PH D | D D S | M D | D V M | R N | C P A
D M D | D O | VICE PRESIDENT | STATE SENATOR | US SENATOR | U S SENATOR | STATE REPRESENTATIVE
US REPRESENTATIVE | LT GOV | THE HON | THE HONORABLE | THE REV | THE REVEREND | RT REV | VERY REV
SGT MAJ | SGT MAJOR | MAJ GEN | BRIG GEN | LT GEN | LT CMDR | REAR ADM | MASTER SGT | STAFF SGT
GUNNERY SGT | WARRANT OFFICER | CHIEF WARRANT OFFICER
`)

/** Suffixes with the form that is shown. */
export const SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['JR', 'JR'],
  ['JNR', 'JR'],
  ['SR', 'SR'],
  ['SNR', 'SR'],
  ['II', 'II'],
  ['III', 'III'],
  ['IV', 'IV'],
  ['V', 'V'],
  ['MD', 'MD'],
  ['ESQ', 'ESQ'],
  ['2ND', 'II'],
  ['3RD', 'III'],
  ['4TH', 'IV'],
])

/** Suffixes only after the names of one person; elsewhere they are names or numbers. */
export const LATE_SUFFIXES: ReadonlyMap<string, string> = new Map([
  ['VI', 'VI'],
  ['VII', 'VII'],
  ['1ST', 'I'],
  ['5TH', 'V'],
  ['6TH', 'VI'],
])

/** Phrases by first word, the longest first. */
export type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>

function phrases(text: string): Phrases {
  const table = new Map<string, string[][]>()
  for (const line of text.split(/[|\n]/)) {
    const words = line.trim().split(/\s+/)
    const first = words[0]
    if (first === undefined || first === '') continue
    const known = table.get(first)
    if (known === undefined) table.set(first, [words])
    else known.push(words)
  }
  for (const list of table.values()) list.sort((a, b) => b.length - a.length)
  return table
}
