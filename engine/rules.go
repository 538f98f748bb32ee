package engine

// Topic groups rows that speak of the same thing. Among the Reported ones of one
// topic the newest fact wins; between topics the order of the table decides.
type Topic string

// The topics.
const (
	Life   Topic = "life"
	Dialog Topic = "dialog"
	Turn   Topic = "turn"
	Pause  Topic = "pause"
	Work   Topic = "work"
)

// Rule is one row: on given facts it speaks from On + After until that plus For.
type Rule struct {
	Name   string
	Topic  Topic
	Weight Weight
	Says   Status
	On     func(*Facts) Stamp
	Each   func(*Facts) []keyed // instead of On: one instance a key
	After  Limit
	For    Limit    // Always: until further notice
	Ask    Ask      // what to ask the sources when the row begins to speak
	Unless []string // rows while any of which speaks this one is silent
	Loud   Loud
	// Trouble is what the turn's end is called where this row decides.
	Trouble Trouble
	Why     string // one clause a user can read
}

// keyed is one instance of a row with Each. After and For, where they are not zero,
// replace those of the row.
type keyed struct {
	Key string
	Stamp
	After, For Limit
}

// held are the rows during which an end told by a record is not one yet: a Stop
// hook of the user's is at work, or a queued prompt follows.
var held = []string{"listing.busy", "listing.busy.again", "listing.busy.first", "listing.pausing", "turn.followed", "turn.checked"}

// still is a terminal in which nothing moves any more: what was written last means less
// then.
var still = []string{"title.still", "call.silent"}

// Rules returns the rule book, the heaviest first (SPEC section 3). The order
// inside a weight matters between topics.
func Rules() []Rule {
	return []Rule{
		{Name: "open.connecting", Topic: Life, Weight: Certain, Says: Connecting, Each: (*Facts).connecting,
			Why: "its terminal was opened, and its CLI has not reported in"},
		{Name: "life.lost", Topic: Life, Weight: Certain, Says: Ended, On: (*Facts).crashed, Trouble: ProcessLost,
			Why: "its process went in the middle of a turn"},
		{Name: "life.exited", Topic: Life, Weight: Certain, Says: Ended, On: (*Facts).dead,
			Why: "its process is gone"},
		{Name: "life.closed", Topic: Life, Weight: Certain, Says: Ended, On: (*Facts).closed,
			Why: "the CLI said that the session is over"},
		{Name: "life.unvouched", Topic: Life, Weight: Certain, Says: Ended, On: (*Facts).unvouched, Unless: []string{"write.fresh"},
			Why: "no process vouches for it"},
		{Name: "life.shut", Topic: Life, Weight: Certain, Says: Ended, On: (*Facts).shut,
			Why: "its terminal was closed"},
		{Name: "life.missed", Topic: Life, Weight: Certain, Says: Ended, On: (*Facts).missed, After: Connect,
			Why: "the terminal that was opened for it never showed"},
		{Name: "life.unscanned", Topic: Life, Weight: Certain, Says: Unknown, On: (*Facts).unscanned,
			Why: "nobody has looked for its process yet"},

		{Name: "life.unlisted", Topic: Life, Weight: Reported, Says: Ended, On: (*Facts).unlisted,
			Why: "the CLI took itself off its list"},
		{Name: "dialog.sought", Topic: Dialog, Weight: Reported, Says: Approval, Each: (*Facts).sought, After: Relook, Loud: Loudly, Ask: AskBearers,
			Why: "the CLI reports a permission prompt, and its command is being looked for"},
		{Name: "dialog.permission", Topic: Dialog, Weight: Reported, Says: Approval, Each: (*Facts).permissions, Loud: Loudly, Ask: AskSettings,
			Why: "the CLI reports a permission prompt"},
		{Name: "dialog.question", Topic: Dialog, Weight: Reported, Says: Input, Each: (*Facts).inquiries, Loud: Loudly,
			Why: "the CLI reports a question to you"},
		{Name: "dialog.reminded", Topic: Dialog, Weight: Reported, Says: Approval, Each: (*Facts).reminders, Loud: Loudly,
			Why: "the CLI reminds you of a permission prompt"},
		{Name: "listing.asking", Topic: Dialog, Weight: Reported, Says: Approval, On: func(f *Facts) Stamp { return f.level(ListedAsking) }, Loud: Loudly,
			Why: "the CLI's own listing says a permission prompt is open"},
		{Name: "listing.question", Topic: Dialog, Weight: Reported, Says: Input, On: func(f *Facts) Stamp { return f.level(ListedQuestion) }, Loud: Loudly,
			Why: "the CLI's own listing says it needs an answer"},
		{Name: "listing.waiting", Topic: Dialog, Weight: Reported, Says: Waiting, On: func(f *Facts) Stamp { return f.level(ListedWaiting) }, Loud: Loudly,
			Why: "the CLI's own listing says it waits for you"},
		{Name: "dialog.unconfirmed", Topic: Dialog, Weight: Reported, Says: Approval, Each: (*Facts).unconfirmed, Loud: Silent,
			Why: "the CLI reports a permission request, which a program may answer for you"},
		{Name: "listing.starting", Topic: Dialog, Weight: Reported, Says: Input, On: (*Facts).stuck, Loud: Silent,
			Why: "it has begun to start, and waits for you"},
		{Name: "listing.stirring", Topic: Dialog, Weight: Reported, Says: Idle, On: (*Facts).stirring, After: Startup, For: Startup, Ask: AskQuiet,
			Why: "it is starting, and takes its time"},
		{Name: "listing.booting", Topic: Dialog, Weight: Reported, Says: Idle, On: (*Facts).booting, After: Startup, Ask: AskQuiet,
			Why: "it is starting"},
		{Name: "listing.busy", Topic: Turn, Weight: Reported, Says: Working, On: (*Facts).busyOn,
			Why: "the CLI's own listing says it is busy"},
		{Name: "listing.busy.again", Topic: Turn, Weight: Reported, Says: Working, On: (*Facts).busyAgain, After: Blink,
			Why: "the CLI's own listing says it is busy"},
		{Name: "listing.busy.first", Topic: Turn, Weight: Reported, Says: Working, On: (*Facts).busyAtFirst, After: Flicker,
			Why: "the CLI's own listing says it is busy"},
		{Name: "listing.pausing", Topic: Turn, Weight: Reported, Says: Working, On: (*Facts).pausing, For: Flicker,
			Why: "the CLI's own listing said busy a moment ago"},
		{Name: "listing.doubtful", Topic: Turn, Weight: Reported, Says: Working, On: (*Facts).doubtful, For: Unproven,
			Why: "the listing says idle, the transcript knows of no turn yet"},
		{Name: "turn.compacting", Topic: Turn, Weight: Reported, Says: Working, On: (*Facts).compacting, For: Lost,
			Why: "the conversation is being summarized"},
		{Name: "turn.interrupted", Topic: Turn, Weight: Reported, Says: Waiting, On: (*Facts).interrupted, For: Rest, Unless: held, Loud: Silent,
			Why: "you interrupted it"},
		{Name: "turn.troubled", Topic: Turn, Weight: Reported, Says: Waiting, On: (*Facts).troubled, For: Rest, Unless: held, Loud: Loudly,
			Why: "its turn ended with an error"},
		{Name: "turn.failed", Topic: Turn, Weight: Reported, Says: Waiting, On: (*Facts).failed, For: Rest, Unless: held, Loud: Loudly,
			Why: "the CLI reported an error at the end of its turn"},
		{Name: "turn.followed", Topic: Turn, Weight: Reported, Says: Working, On: (*Facts).followed, For: Unproven,
			Why: "a prompt was in line behind its turn"},
		{Name: "turn.relayed", Topic: Turn, Weight: Reported, Says: Working, On: (*Facts).relayed, For: Prompt,
			Why: "its next turn began with a prompt that was in line"},
		{Name: "turn.checked", Topic: Turn, Weight: Reported, Says: Working, On: (*Facts).checks, For: Lost,
			Why: "a hook of yours works at the end of its turn"},
		{Name: "turn.goes_on", Topic: Turn, Weight: Reported, Says: Working, On: (*Facts).goesOn, For: Lost,
			Why: "sub-agents of its own run on"},
		{Name: "turn.finished", Topic: Turn, Weight: Reported, Says: Waiting, On: (*Facts).finished, For: Rest, Unless: held, Loud: Loudly,
			Why: "the CLI reported the end of a turn"},
		{Name: "turn.answered", Topic: Turn, Weight: Reported, Says: Waiting, On: (*Facts).answered, For: Rest, Unless: held, Loud: Loudly,
			Why: "its transcript has the end of a turn"},
		{Name: "turn.unanswered", Topic: Turn, Weight: Reported, Says: Waiting, On: (*Facts).unanswered, After: Unproven, For: Rest, Loud: Silent, Trouble: Interrupted,
			Why: "it was stopped before its first word"},
		{Name: "turn.left", Topic: Turn, Weight: Reported, Says: Waiting, On: (*Facts).left, For: Rest, Loud: Loudly,
			Why: "its dialog was closed and nothing runs"},
		{Name: "turn.listed", Topic: Turn, Weight: Reported, Says: Waiting, On: (*Facts).rested, After: Flicker, For: Rest, Loud: Loudly,
			Why: "the CLI's own listing says the turn is over"},
		{Name: "turn.botched", Topic: Turn, Weight: Reported, Says: Waiting, On: (*Facts).botched, For: Rest, Loud: Loudly, Trouble: APIError,
			Why: "the CLI's own listing says it has failed"},
		{Name: "listing.resting", Topic: Pause, Weight: Reported, Says: Idle, On: (*Facts).resting,
			Why: "the CLI's own listing says nothing runs"},

		{Name: "listing.dialog", Topic: Dialog, Weight: Observed, Says: Input, On: (*Facts).dialog, Loud: Loudly,
			Why: "the CLI's own listing says a dialog is open in the middle of a turn"},
		{Name: "title.asking", Topic: Dialog, Weight: Observed, Says: Approval, Each: (*Facts).titledAsking, Loud: Loudly,
			Why: "the title of its terminal says a permission prompt is open"},
		{Name: "title.question", Topic: Dialog, Weight: Observed, Says: Input, Each: (*Facts).titledQuestion, Loud: Loudly,
			Why: "the title of its terminal says it needs an answer"},
		{Name: "title.busy", Topic: Work, Weight: Observed, Says: Working, Each: (*Facts).titledBusy,
			Why: "the title of its terminal moves as it does at work"},
		{Name: "title.rested", Topic: Work, Weight: Observed, Says: Waiting, On: (*Facts).titledRest, For: Rest, Loud: Loudly,
			Why: "the title of its terminal says that it is ready"},
		{Name: "subagent.writing", Topic: Work, Weight: Observed, Says: Working, Each: (*Facts).writing, For: Fresh,
			Why: "a sub-agent of its own writes"},
		{Name: "call.question", Topic: Work, Weight: Observed, Says: Input, Each: (*Facts).questions, After: Fresh, Loud: Guessed,
			Why: "a question to you is open in its transcript"},
		{Name: "call.open", Topic: Work, Weight: Observed, Says: Working, On: (*Facts).undrawn, For: Forgotten,
			Why: "a tool call is open in its transcript"},
		{Name: "call.drawn", Topic: Work, Weight: Observed, Says: Working, On: (*Facts).drawn, For: Undrawn,
			Why: "a tool call is open in its transcript, and its terminal prints"},
		{Name: "call.running", Topic: Work, Weight: Observed, Says: Working, Each: (*Facts).running,
			Why: "the CLI reported a tool call, and no result yet"},
		{Name: "call.childful", Topic: Work, Weight: Observed, Says: Working, Each: (*Facts).childful, For: Recheck,
			Why: "a command of its own runs, as its processes show"},
		{Name: "turn.begun", Topic: Work, Weight: Observed, Says: Working, On: (*Facts).begun, For: Lost, Unless: still,
			Why: "a turn is under way in its transcript"},
		{Name: "write.fresh", Topic: Work, Weight: Observed, Says: Working, On: (*Facts).moving, For: Fresh, Unless: still,
			Why: "its transcript moved"},
		{Name: "turn.prompted", Topic: Work, Weight: Observed, Says: Prompting, On: (*Facts).lost, For: Prompt,
			Why: "you prompted it, nothing has run yet"},

		{Name: "call.overdue", Topic: Work, Weight: Inferred, Says: Approval, Each: (*Facts).overdue, For: Guess, Loud: Guessed,
			Why: "a tool call has been silent for too long"},
		{Name: "call.unanswered", Topic: Work, Weight: Inferred, Says: Input, Each: (*Facts).unanswering, After: Answer, For: Guess, Loud: Guessed,
			Why: "a question to you has no answer"},
		{Name: "call.childless", Topic: Work, Weight: Inferred, Says: Approval, Each: (*Facts).childless, For: Guess, Loud: Guessed,
			Why: "a command has been silent for too long, and has no process"},
		{Name: "call.recounting", Topic: Work, Weight: Inferred, Says: Working, Each: (*Facts).recounted, After: Recheck, For: Recheck, Ask: AskChildren,
			Why: "whether a command still runs is being looked up again"},
		{Name: "call.unsure", Topic: Work, Weight: Inferred, Says: Working, Each: (*Facts).uncounted, After: Fresh, For: Unproven, Ask: AskChildren,
			Why: "a tool call is open, and whether it runs is being looked up"},
		{Name: "call.counting", Topic: Work, Weight: Inferred, Says: Working, Each: (*Facts).slow, After: Slow, For: Lost, Ask: AskChildren,
			Why: "a command is silent, and nobody says that it has ended"},
		{Name: "call.silent", Topic: Work, Weight: Inferred, Says: Approval, On: (*Facts).drawn, After: Undrawn, Loud: Guessed,
			Why: "a tool call is open, and its terminal has printed nothing since"},
		{Name: "call.forgotten", Topic: Work, Weight: Inferred, Says: Approval, On: (*Facts).undrawn, After: Forgotten, Loud: Guessed,
			Why: "a tool call has been open for very long, perhaps nobody answered its prompt"},
		{Name: "title.still", Topic: Work, Weight: Inferred, Says: Waiting, On: (*Facts).stilled, After: Still, For: Rest, Loud: Guessed,
			Why: "the title of its terminal moved, and has stopped"},
		{Name: "write.quiet", Topic: Work, Weight: Inferred, Says: Waiting, On: (*Facts).spoken, After: Fresh, For: Rest, Loud: Guessed,
			Why: "its last word is the agent's, and it has been quiet since"},
		{Name: "prompt.lost", Topic: Work, Weight: Inferred, Says: Waiting, On: (*Facts).lost, After: Prompt, For: Rest, Loud: Silent,
			Why: "nothing came of your prompt"},
		{Name: "idle", Topic: Pause, Weight: Inferred, Says: Idle, On: (*Facts).known,
			Why: "nothing speaks against it"},
	}
}
