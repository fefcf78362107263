package language

import (
	"reflect"
	"strings"
	"testing"
)

var samples = map[string]string{
	"eng": "The quick brown fox jumps over the lazy dog, and everybody who has seen it before knows that it will do so again.",
	"deu": "Der Garten liegt hinter dem Haus, und wer ihn gesehen hat, weiß, dass er im Sommer am schönsten ist.",
	"fra": "Le jardin se trouve derrière la maison, et ceux qui l'ont vu savent qu'il est le plus beau en été.",
	"rus": "Сад находится за домом, и тот, кто его видел, знает, что летом он особенно красив.",
	"jpn": "庭は家の後ろにあり、それを見た人は夏に最も美しいことを知っています。",
	"zho": "花园在房子后面，看过它的人都知道它在夏天最漂亮，而且每个人都喜欢在那里散步。",
	"ara": "تقع الحديقة خلف المنزل، ومن رآها يعرف أنها أجمل ما تكون في الصيف وأن الجميع يحبون المشي هناك.",
	"ell": "Ο κήπος βρίσκεται πίσω από το σπίτι και όποιος τον έχει δει ξέρει ότι είναι πιο όμορφος το καλοκαίρι.",
}

func TestDetect(t *testing.T) {
	for code, text := range samples {
		for _, times := range []int{1, 3, 200} {
			found := Detect([]byte(strings.Repeat(text+" ", times)))
			if found.Code() != code && !(times == 1 && found.Code() == "") {
				t.Errorf("%s, %d times: %+v", code, times, found)
			}
		}
	}
}

func TestMixedAndShort(t *testing.T) {
	mixed := strings.Repeat(samples["eng"]+" ", 20) + strings.Repeat(samples["rus"]+" ", 5)
	found := Detect([]byte(mixed))
	if found.Code() != "eng" || len(found.Languages) != 2 || found.Languages[1].Code != "rus" {
		t.Errorf("%+v", found)
	}
	for _, text := range []string{"", "Home", "1234567890 1234567890 1234567890", "a b c d", "\xff\xfe\xfd"} {
		if found := Detect([]byte(text)); found.Code() != "" || len(found.Languages) > 0 {
			t.Errorf("%q: %+v", text, found)
		}
	}
}

func FuzzDetect(f *testing.F) {
	for _, text := range samples {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		found := Detect(text)
		if again := Detect(text); !reflect.DeepEqual(found, again) {
			t.Fatalf("%+v and then %+v", found, again)
		}
		sum := 0
		for _, s := range found.Languages {
			sum += s.Percent
		}
		if sum > 103 || len(found.Languages) > top || found.Reliable && len(found.Languages) == 0 {
			t.Fatalf("%+v", found)
		}
	})
}
