/**
 * The words that names are made of: short, easily spoken, unlike each other by at least two letters, and none that reads as a
 * role or a product. Their order means nothing; a word may be added, and none removed that was ever drawn.
 */
export const NAME_POOL: readonly string[] = `
abel acacia ada agate agnes aiden alan albert alder alec alfred alma almond amos amy anchor andre angus
anise anna anton apricot april arlo arthur aspen astrid aubrey august aurora babette badger bagel bamboo
banana banjo baobab barney barrel basalt basil basket beacon beatrix beaver becky beech bela benno bernard
berta bertil beryl bettina bianca birch bison bjorn bobbin bobcat bonnie boris bracken brady bram breeze
brenda brian bridget bronze brook bruno bryony buffalo byron cabin caleb calvin candle
canoe carbon caribou carla carmen caspar castle cecil cedar celia cello cheetah chester chisel chloe claire
clement clifton clyde cobalt cocoa cody colin comet compass conrad copper cora corbin cosmo cotton cougar
coyote cradle craig curtis cyclone cypress cyrus dahlia daisy damien daphne darcy darwin dawn
dennis derek desmond diamond dinah dingo dmitri dolores dolphin donald dorian douglas drizzle
duncan dusk dylan ebony eclipse edgar edith edmund edna eduard edwin effie eileen eleanor elias elijah 
elmer elsa elton emil emma enid enoch equinox erik ermine ernest esme esther ethan etta eugene evan
ezra fabian falcon felix fennel fergus fern ferret fiddle fig finch fiona flint flora floyd flute fraser
fresco freya frida fritz gable gaby galaxy gareth garlic garnet gavin gazelle george gerda gibbon gideon
gilbert gina ginger ginkgo giraffe gisela glacier glenda gloria gneiss goblet godwin gordon grace
graham granite greta grouse grove guitar gunnar gustav gwen hammer hamster harbor harold harriet harvey
hattie hazel heather hector hedwig helga hemlock henry herman heron hickory hilda hobart holly homer
horace horizon hornet hubert hugo ibex igor iguana ilona imogen impala ines ingrid ira irene iris irving
isaac island isolde ivory ivy jackal jade jaguar janet jarvis jasmin jasper jerome jessica joel johan jonas
joseph joyce juan judith juniper junko justin jute karen kasimir katrin kayak keith kelvin kenneth
kerstin kestrel kiran kiwi klaus koala kurt kyle ladder lagoon lambert lance lantern lara larch larry laurel
leander leif lemon lemur lena lentil leo leopard leroy leslie letty levi lewis lilac lillian lime linden
linus lionel lisbet lizard lobster locust logan lorenz lotte lotus lucas lucia ludwig luther lydia
lynx madge magnus magpie maja malcolm manatee mango maple marble marcel margot marimba marina marlon marten
martha mathis matilda maurice maxim meadow megan melinda melon merlin mervyn milton mink
mirage miriam mischa mona monsoon monty moose mosaic muriel mustard myrtle nadia nancy naomi narwhal
natalie nathan nebula ned needle nelson nestor nettle neville nickel nicolas nigel nils noah nolan norman
nova nutmeg oak oasis oboe ocean ocelot octavia octopus odette odin olaf oleg olga olive onion onyx opal
ophelia orbit orchard orchid oregano oriole orson orville oscar osmond osprey oswald otis otter otto pablo
paddle paige palm palmer pamela panther paprika parsley patty paula peach pearl pebble pedro peggy
pelican penguin pepper percy peter petra petrel philip phoebe piccolo pierre pigeon pine piotr plover plum
pocket poplar poppy portia prairie prism puffin pulley puma pumice pumpkin quail quartz quasar quentin quill
quincy rabbit raccoon radish rafael ralph ramona randolf rapids raquel rasmus raven raymond rebecca reef
regina reiner remy renata rhoda ricardo ridge rita river robert robin roderic roger roland rosalie roscoe
rowan rudolf rufus rupert ruth ryan sabina saffron sage salmon salome samson sandra santos saturn
saul savanna seal sebald selma sesame sextant seymour sharon sheila shuttle sickle sidney sierra sigrid
silas silver silvia simon slate sofia solomon sonja sorrel sparrow spencer spindle spruce squid
stanley steeple stella steven stork stuart sumac summit sunset susan sven swan sybil tabitha tamara tambour
tanja tansy tapir tatjana teapot terence teresa thelma theo thicket thora thunder thurman thyme timber
tobias todd tomas tomato topaz toucan tracy trellis trevor tristan trout trudy truman trumpet tulip tundra
turnip turtle ulla ulric una ursula uwe valerie valley vanessa vanilla vaughn velvet vera vernon viktor
vincent violet violin virgil vivian volcano wagon waldo wallace walnut walrus walter wanda warren wasabi
weasel wendel werner wesley wharf wilbur wilhelm willow wilma winona winston wombat xander
xavier ximena yarrow yolanda yosef yuki yvonne zebra zelda zenith zeno zephyr zircon zither zoe zoltan
`
  .trim()
  .split(/\s+/);
