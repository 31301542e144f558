package scenarios
import ("testing";"fmt";"os";"encoding/json")
func TestSmoke(t *testing.T) {
	s, err := Load(os.Getenv("F"), Options{})
	if err != nil { fmt.Println(err); return }
	b, _ := json.MarshalIndent(s.Config, "", " ")
	fmt.Println(string(b), s.Variants[3].Settings, s.Control, s.Variants[3].Scenario.Inputs)
	for _, f := range s.Config.Faults { fmt.Printf("%+v\n", f) }
	w, err := s.Program.NewWorld(s.Config)
	fmt.Println(err)
	fmt.Printf("%+v\n", w.Run(1).Faults)
}
